// Documents that the operator signs with Ed25519: keys, signatures, and the report of a certification.
export * from './certification-report.ts';
export * from './document-keys.ts';
