// Signature schemes from the client's side: the headers of each and the string it signs, built with the server's own code.
import { randomUUID } from 'node:crypto';
import { bodySignedString, hmacHex, inboundSignedString, serviceSignedString } from './canonical.ts';

export const SCHEMES = ['pos', 'partner', 'inbound', 'service', 'webhook'] as const;
export type SchemeName = (typeof SCHEMES)[number];

/** Header names are spelled as in the documentation. */
export interface HttpRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface SigningOptions {
  keyId?: string | undefined;
  partnerId?: string | undefined;
  nonce?: string | undefined;
  timestamp?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface Scheme {
  name: SchemeName;
  /** Describes the signed string, for messages. */
  description: string;
  signatureHeader: string;
  timestampHeader: string | null;
  /** The server rejects a request without one of these before it checks the signature. */
  requiredHeaders: readonly string[];
  /** All headers of the scheme except the signature. */
  headers(options: SigningOptions): Record<string, string>;
  /** Null if the scheme cannot represent the target. */
  signedString(sent: HttpRequest): Buffer | null;
}

/** A missing or invalid argument; the message is shown without a stack trace. */
export class UsageError extends Error {}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing.`);
  return value;
}

const optional = (name: string, value: string | undefined) => (value ? { [name]: value } : {});
const now = () => new Date().toISOString();
const keyAndTime = ({ keyId, timestamp }: SigningOptions) => ({
  'X-API-Key-ID': required(keyId, '--key-id'),
  'X-Timestamp': timestamp ?? now(),
});

const bodySigned = {
  description: 'METHOD, PATH with query string, X-Timestamp and the raw body, joined by line feeds',
  signatureHeader: 'X-Signature',
  timestampHeader: 'X-Timestamp',
  signedString: ({ method, target, headers, body }: HttpRequest) =>
    bodySignedString({ method, target, timestamp: headers['X-Timestamp'] ?? '', rawBody: body }),
};

const BY_NAME: Record<SchemeName, Omit<Scheme, 'name'>> = {
  pos: { ...bodySigned, requiredHeaders: ['X-API-Key-ID', 'X-Timestamp', 'X-Signature'], headers: keyAndTime },
  partner: {
    ...bodySigned,
    requiredHeaders: ['X-API-Key-ID', 'X-Partner-ID', 'X-Timestamp', 'X-Signature'],
    headers: (options) => ({ ...keyAndTime(options), 'X-Partner-ID': required(options.partnerId, '--partner-id') }),
  },
  inbound: {
    description:
      'METHOD, PATH with query string, X-Timestamp, X-Nonce, X-Idempotency-Key (empty if absent) and the SHA-256 of the body in hex, joined by line feeds',
    signatureHeader: 'X-Signature',
    timestampHeader: 'X-Timestamp',
    requiredHeaders: ['X-API-Key-ID', 'X-Timestamp', 'X-Nonce', 'X-Signature'],
    headers: (options) => ({
      ...keyAndTime(options),
      'X-Nonce': options.nonce ?? randomUUID(),
      ...optional('X-Idempotency-Key', options.idempotencyKey),
      ...optional('X-Partner-ID', options.partnerId),
    }),
    signedString: ({ method, target, headers, body }) =>
      inboundSignedString({
        ...{ method, target, rawBody: body },
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
    headers: ({ keyId, timestamp }) => ({
      'X-Service-Name': required(keyId, '--key-id (the service name)'),
      'X-Service-Timestamp': timestamp ?? String(Math.floor(Date.now() / 1_000)),
    }),
    signedString: ({ method, target, headers }) =>
      serviceSignedString({ method, target, timestamp: headers['X-Service-Timestamp'] ?? '' }),
  },
  webhook: {
    description: 'the raw body',
    signatureHeader: 'X-Webhook-Signature',
    timestampHeader: null,
    requiredHeaders: ['X-Webhook-Signature'],
    headers: () => ({}),
    signedString: ({ body }) => body,
  },
};

const BY_PATH: [RegExp, SchemeName][] = [
  [/^\/api\/v1\/partner\//, 'partner'],
  [/^\/api\/v1\/inbound\//, 'inbound'],
  [/^\/api\/v1\/(?:pos|payment)(?:[/?]|$)/, 'pos'],
  [/^\/webhooks\/partner\/cashin(?:\?|$)/, 'webhook'],
];

/** Without a name, the scheme is derived from the path. */
export function schemeFor(name: string | undefined, target: string): Scheme {
  const found = name ?? BY_PATH.find(([path]) => path.test(target))?.[1];
  const known = SCHEMES.find((scheme) => scheme === found);
  if (known) return { name: known, ...BY_NAME[known] };
  const problem = name === undefined ? `The scheme of ${target} is unknown` : `There is no scheme ${name}`;
  throw new UsageError(`${problem}: pass --scheme with one of ${SCHEMES.join(', ')}.`);
}

/** All headers of the scheme, including the signature. */
export function signedHeaders(
  scheme: Scheme,
  request: Omit<HttpRequest, 'headers'>,
  options: SigningOptions,
  secret: string,
): Record<string, string> {
  const headers = scheme.headers(options);
  const signed = scheme.signedString({ ...request, headers });
  if (signed === null) throw new UsageError('The service scheme cannot sign a raw | in the path: send %7C.');
  return { ...headers, [scheme.signatureHeader]: hmacHex(secret, signed) };
}
