// Describes the signature schemes: the headers of each and the string it signs, to say what is wrong with a request.
import { bodySignedString, inboundSignedString, serviceSignedString } from './sync.ts';

export const SCHEMES = ['pos', 'partner', 'inbound', 'service', 'webhook'] as const;
export type SchemeName = (typeof SCHEMES)[number];

/** Header names are spelled as in the documentation. */
export interface HttpRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Scheme {
  name: SchemeName;
  /** Describes the signed string, for messages. */
  description: string;
  signatureHeader: string;
  timestampHeader: string | null;
  /** The server rejects a request without one of these before it checks the signature. */
  requiredHeaders: readonly string[];
  /** Null if the scheme cannot represent the target. */
  signedString(sent: HttpRequest): Buffer | null;
}

const bodySigned = {
  description: 'METHOD, PATH with query string, X-Timestamp and the raw body, joined by line feeds',
  signatureHeader: 'X-Signature',
  timestampHeader: 'X-Timestamp',
  signedString: ({ method, target, headers, body }: HttpRequest) =>
    bodySignedString({ method, target, timestamp: headers['X-Timestamp'] ?? '', rawBody: body }),
};

const BY_NAME: Record<SchemeName, Omit<Scheme, 'name'>> = {
  pos: { ...bodySigned, requiredHeaders: ['X-API-Key-ID', 'X-Timestamp', 'X-Signature'] },
  partner: {
    ...bodySigned,
    requiredHeaders: ['X-API-Key-ID', 'X-Partner-ID', 'X-Timestamp', 'X-Signature'],
  },
  inbound: {
    description:
      'METHOD, PATH with query string, X-Timestamp, X-Nonce, X-Idempotency-Key (empty if absent) and the SHA-256 of the body in hex, joined by line feeds',
    signatureHeader: 'X-Signature',
    timestampHeader: 'X-Timestamp',
    requiredHeaders: ['X-API-Key-ID', 'X-Timestamp', 'X-Nonce', 'X-Signature'],
    signedString: ({ method, target, headers, body }) =>
      inboundSignedString({
        method,
        target,
        rawBody: body,
        timestamp: headers['X-Timestamp'] ?? '',
        nonce: headers['X-Nonce'] ?? '',
        idempotencyKey: headers['X-Idempotency-Key'] ?? '',
      }),
  },
  service: {
    description: 'METHOD, PATH, QUERY without the question mark, and X-Service-Timestamp, joined by |',
    signatureHeader: 'X-Service-Signature',
    timestampHeader: 'X-Service-Timestamp',
    requiredHeaders: ['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature'],
    signedString: ({ method, target, headers }) =>
      serviceSignedString({ method, target, timestamp: headers['X-Service-Timestamp'] ?? '' }),
  },
  webhook: {
    description: 'the raw body',
    signatureHeader: 'X-Webhook-Signature',
    timestampHeader: null,
    requiredHeaders: ['X-Webhook-Signature'],
    signedString: ({ body }) => body,
  },
};

const BY_PATH: [RegExp, SchemeName][] = [
  [/^\/api\/v1\/partner\//, 'partner'],
  [/^\/api\/v1\/inbound\//, 'inbound'],
  [/^\/api\/v1\/(?:pos|payment)(?:[/?]|$)/, 'pos'],
  [/^\/webhooks\/partner\/cashin(?:\?|$)/, 'webhook'],
];

export function schemeNamed(name: string): Scheme | null {
  const known = SCHEMES.find((scheme) => scheme === name);
  return known ? { name: known, ...BY_NAME[known] } : null;
}

/** Null for paths that several schemes serve, or none. */
export function schemeForPath(target: string): Scheme | null {
  const name = BY_PATH.find(([path]) => path.test(target))?.[1];
  return name ? schemeNamed(name) : null;
}
