// The signature schemes as an integrator meets them: the headers of each, and what it signs, by the server's own code.
import { randomUUID } from 'node:crypto';
import {
  bodySignedString,
  hmacHex,
  inboundSignedString,
  serviceSignedString,
} from '../../src/auth/signatures/canonical.ts';

export const SCHEMES = ['pos', 'partner', 'inbound', 'service', 'webhook'] as const;
export type SchemeName = (typeof SCHEMES)[number];

/** A request as it is sent; header names as they are written in documents. */
export interface Sent {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Options {
  keyId?: string | undefined;
  partnerId?: string | undefined;
  nonce?: string | undefined;
  timestamp?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface Scheme {
  name: SchemeName;
  /** What is signed, in words. */
  signs: string;
  signatureHeader: string;
  timestampHeader: string | null;
  /** Headers without which no signature is looked at. */
  required: readonly string[];
  /** Every header but the signature. */
  stamp(options: Options): Record<string, string>;
  /** Null: the server refuses to sign for such a target. */
  canonical(sent: Sent): Buffer | null;
}

/** For what a person forgot to say. */
export class Unsaid extends Error {}

function needed(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Unsaid(`${name} is missing.`);
  return value;
}

const optional = (name: string, value: string | undefined) => (value ? { [name]: value } : {});
const now = () => new Date().toISOString();
const keyAndTime = ({ keyId, timestamp }: Options) => ({
  'X-API-Key-ID': needed(keyId, '--key-id'),
  'X-Timestamp': timestamp ?? now(),
});

const bodySigned = {
  signs: 'METHOD, PATH with its query, X-Timestamp and the raw body, joined by line feeds',
  signatureHeader: 'X-Signature',
  timestampHeader: 'X-Timestamp',
  canonical: ({ method, target, headers, body }: Sent) =>
    bodySignedString({ method, target, timestamp: headers['X-Timestamp'] ?? '', rawBody: body }),
};

const BY_NAME: Record<SchemeName, Omit<Scheme, 'name'>> = {
  pos: { ...bodySigned, required: ['X-API-Key-ID', 'X-Timestamp', 'X-Signature'], stamp: keyAndTime },
  partner: {
    ...bodySigned,
    required: ['X-API-Key-ID', 'X-Partner-ID', 'X-Timestamp', 'X-Signature'],
    stamp: (options) => ({ ...keyAndTime(options), 'X-Partner-ID': needed(options.partnerId, '--partner-id') }),
  },
  inbound: {
    signs:
      'METHOD, PATH with its query, X-Timestamp, X-Nonce, X-Idempotency-Key (empty where there is none) and the SHA-256 of the body in hex, joined by line feeds',
    signatureHeader: 'X-Signature',
    timestampHeader: 'X-Timestamp',
    required: ['X-API-Key-ID', 'X-Timestamp', 'X-Nonce', 'X-Signature'],
    stamp: (options) => ({
      ...keyAndTime(options),
      'X-Nonce': options.nonce ?? randomUUID(),
      ...optional('X-Idempotency-Key', options.idempotencyKey),
      ...optional('X-Partner-ID', options.partnerId),
    }),
    canonical: ({ method, target, headers, body }) =>
      inboundSignedString({
        ...{ method, target, rawBody: body },
        timestamp: headers['X-Timestamp'] ?? '',
        nonce: headers['X-Nonce'] ?? '',
        idempotencyKey: headers['X-Idempotency-Key'] ?? '',
      }),
  },
  service: {
    signs: 'METHOD, PATH, QUERY without its question mark, and X-Service-Timestamp, joined by |',
    signatureHeader: 'X-Service-Signature',
    timestampHeader: 'X-Service-Timestamp',
    required: ['X-Service-Name', 'X-Service-Timestamp', 'X-Service-Signature'],
    stamp: ({ keyId, timestamp }) => ({
      'X-Service-Name': needed(keyId, '--key-id (the name of the service)'),
      'X-Service-Timestamp': timestamp ?? String(Math.floor(Date.now() / 1_000)),
    }),
    canonical: ({ method, target, headers }) =>
      serviceSignedString({ method, target, timestamp: headers['X-Service-Timestamp'] ?? '' }),
  },
  webhook: {
    signs: 'the raw body',
    signatureHeader: 'X-Webhook-Signature',
    timestampHeader: null,
    required: ['X-Webhook-Signature'],
    stamp: () => ({}),
    canonical: ({ body }) => body,
  },
};

const BY_PATH: [RegExp, SchemeName][] = [
  [/^\/api\/v1\/partner\//, 'partner'],
  [/^\/api\/v1\/inbound\//, 'inbound'],
  [/^\/api\/v1\/(?:pos|payment)(?:[/?]|$)/, 'pos'],
  [/^\/webhooks\/partner\/cashin(?:\?|$)/, 'webhook'],
];

/** As named, else the one that the path belongs to. */
export function schemeFor(name: string | undefined, target: string): Scheme {
  const found = name ?? BY_PATH.find(([path]) => path.test(target))?.[1];
  const known = SCHEMES.find((scheme) => scheme === found);
  if (known) return { name: known, ...BY_NAME[known] };
  const said = name === undefined ? `${target} does not tell the scheme` : `There is no scheme ${name}`;
  throw new Unsaid(`${said}: say --scheme ${SCHEMES.join(', ')}.`);
}

/** All headers, the signature among them. */
export function signedHeaders(
  scheme: Scheme,
  request: Omit<Sent, 'headers'>,
  options: Options,
  secret: string,
): Record<string, string> {
  const headers = scheme.stamp(options);
  const signed = scheme.canonical({ ...request, headers });
  if (signed === null) throw new Unsaid('A raw | in the path cannot be signed for a service: send %7C.');
  return { ...headers, [scheme.signatureHeader]: hmacHex(secret, signed) };
}
