// The signatures of the API: the headers that prove who sent a request.
import { type Bytes, concat, hmacHex, sha256Hex, utf8 } from './crypto.ts';

/** A request as it is sent. */
export interface SignedRequest {
  method: string;
  /** Path and query string, exactly as sent. */
  target: string;
  body: Bytes;
  /** Milliseconds since 1970. */
  now: number;
  /** The timestamp as sent, instead of `now` in the format of the scheme. */
  timestamp?: string;
}

export interface SigningKey {
  keyId: string;
  secret: string;
}

type SignatureHeaders = Record<string, string>;

/** For terminals and apps, and with `partnerId` for the partner API. */
export async function signRequest(
  { keyId, secret, partnerId }: SigningKey & { partnerId?: string | undefined },
  { method, target, body, now, timestamp = new Date(now).toISOString() }: SignedRequest,
): Promise<SignatureHeaders> {
  const signed = concat(utf8(`${method}\n${target}\n${timestamp}\n`), body);
  return {
    'X-API-Key-ID': keyId,
    ...(partnerId === undefined ? {} : { 'X-Partner-ID': partnerId }),
    'X-Timestamp': timestamp,
    'X-Signature': await hmacHex(secret, signed),
  };
}

/** For inbound requests of partner banks. Each attempt needs a new nonce. */
export async function signInbound(
  { keyId, secret }: SigningKey,
  { method, target, body, now, timestamp = new Date(now).toISOString() }: SignedRequest,
  { idempotencyKey = '', nonce = crypto.randomUUID() }: { idempotencyKey?: string | undefined; nonce?: string } = {},
): Promise<SignatureHeaders> {
  const signed = [method, target, timestamp, nonce, idempotencyKey, await sha256Hex(body)].join('\n');
  return {
    'X-API-Key-ID': keyId,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    ...(idempotencyKey === '' ? {} : { 'X-Idempotency-Key': idempotencyKey }),
    'X-Signature': await hmacHex(secret, utf8(signed)),
  };
}

/** Binds the signature of a service to one body: the query is signed, the body is not. */
export async function withBodyHash(target: string, body: Bytes): Promise<string> {
  return `${target}${target.includes('?') ? '&' : '?'}body_sha256=${await sha256Hex(body)}`;
}

/** For calls between services of the operator. */
export async function signService(
  { name, secret }: { name: string; secret: string },
  { method, target, now, timestamp = String(Math.floor(now / 1000)) }: SignedRequest,
): Promise<SignatureHeaders> {
  const [path = '', ...query] = target.split('?');
  const signed = [method, path, query.join('?'), timestamp].join('|');
  return {
    'X-Service-Name': name,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': await hmacHex(secret, utf8(signed)),
  };
}

/** For cash-in notifications. */
export async function signCashIn(secret: string, body: Bytes): Promise<SignatureHeaders> {
  return { 'X-Webhook-Signature': await hmacHex(secret, body) };
}

/** For posts of the messaging platform. */
export async function signHub(secret: string, body: Bytes): Promise<SignatureHeaders> {
  return { 'X-Hub-Signature-256': `sha256=${await hmacHex(secret, body)}` };
}
