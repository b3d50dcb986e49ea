// Documents that the operator signs with Ed25519: keys, signatures, and a certification's report.
export * from './certification-report.ts';
export * from './document-keys.ts';
