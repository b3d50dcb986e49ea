// What each scheme signs and sends, without the cryptography: the same on every platform.

/** A request as it is sent. */
export interface SignedRequest {
  method: string;
  /** Path and query string, exactly as sent. */
  target: string;
  body: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. */
  now: number;
  /** The timestamp as sent, instead of `now` in the format of the scheme. */
  timestamp?: string | undefined;
}

export interface SigningKey {
  keyId: string;
  secret: string;
}

/** The signed fields of a request besides its body. */
export interface SignedHead {
  method: string;
  target: string;
  timestamp: string;
}

export type SignatureHeaders = Record<string, string>;

/** The headers of a request without its signature, and what the signature covers. */
export interface Unsigned {
  headers: SignatureHeaders;
  signatureHeader: string;
  /** The signed text. `body` follows it: its bytes, the hex digits of its SHA-256, or nothing. */
  text: string;
  body: 'bytes' | 'sha256' | 'nothing';
}

/** For POS, in-app and partner routes. The raw bytes of the body follow. */
export function bodySignedText({ method, target, timestamp }: SignedHead): string {
  return `${method}\n${target}\n${timestamp}\n`;
}

/** For inbound routes. The SHA-256 of the body follows. */
export function inboundSignedText(
  { method, target, timestamp }: SignedHead,
  { nonce, idempotencyKey }: { nonce: string; idempotencyKey: string },
): string {
  return `${method}\n${target}\n${timestamp}\n${nonce}\n${idempotencyKey}\n`;
}

/**
 * For calls between services: path and query are separate fields. Null if the target contains the separator: /a?b|c
 * and /a|b?c would have the same signature. Standard clients encode the character as %7C.
 */
export function serviceSignedText({ method, target, timestamp }: SignedHead): string | null {
  if (target.includes('|')) return null;
  const cut = target.indexOf('?');
  const path = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? '' : target.slice(cut + 1);
  return `${method}|${path}|${query}|${timestamp}`;
}

/** For outbound webhooks. The raw bytes of the body follow. */
export function webhookSignedText(timestamp: string): string {
  return `${timestamp}.`;
}

/** For outbound webhooks by Standard Webhooks. The raw bytes of the body follow. */
export function standardSignedText({ id, timestamp }: { id: string; timestamp: string }): string {
  return `${id}.${timestamp}.`;
}

/** A secret that begins with it is base64. */
export const STANDARD_PREFIX = 'whsec_';

const isoTime = ({ now, timestamp }: SignedRequest) => timestamp ?? new Date(now).toISOString();
const optional = (name: string, value: string | undefined): SignatureHeaders => (value ? { [name]: value } : {});

export function unsignedRequest(
  { keyId, partnerId }: { keyId: string; partnerId?: string | undefined },
  request: SignedRequest,
): Unsigned {
  const timestamp = isoTime(request);
  return {
    headers: { 'X-API-Key-ID': keyId, 'X-Timestamp': timestamp, ...optional('X-Partner-ID', partnerId) },
    signatureHeader: 'X-Signature',
    text: bodySignedText({ ...request, timestamp }),
    body: 'bytes',
  };
}

export interface InboundOptions {
  idempotencyKey?: string | undefined;
  /** Each attempt needs a new one, which is the default. */
  nonce?: string | undefined;
}

export function unsignedInbound(
  { keyId, partnerId }: { keyId: string; partnerId?: string | undefined },
  request: SignedRequest,
  { idempotencyKey = '', nonce = crypto.randomUUID() }: InboundOptions = {},
): Unsigned {
  const timestamp = isoTime(request);
  return {
    headers: {
      'X-API-Key-ID': keyId,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      ...optional('X-Idempotency-Key', idempotencyKey),
      ...optional('X-Partner-ID', partnerId),
    },
    signatureHeader: 'X-Signature',
    text: inboundSignedText({ ...request, timestamp }, { nonce, idempotencyKey }),
    body: 'sha256',
  };
}

export function unsignedService(
  name: string,
  { method, target, now, timestamp = String(Math.floor(now / 1_000)) }: Omit<SignedRequest, 'body'>,
): Unsigned {
  const text = serviceSignedText({ method, target, timestamp });
  if (text === null) throw new TypeError('The service scheme cannot sign a raw | in the path: send %7C.');
  return {
    headers: { 'X-Service-Name': name, 'X-Service-Timestamp': timestamp },
    signatureHeader: 'X-Service-Signature',
    text,
    body: 'nothing',
  };
}

/** The query parameter that binds a service's signature to one body: the query is signed, the body is not. */
export const BODY_HASH = 'body_sha256';

/** Encrypted PINs are compact JWEs under a key that HKDF-SHA256 derives from the secret for this purpose. */
export const PIN_PURPOSE = 'pin-encryption-v1';
export const PIN_HEADER = '{"alg":"dir","enc":"A256GCM"}';
