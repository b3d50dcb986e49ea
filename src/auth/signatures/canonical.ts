// The signature schemes as pure functions: what each one signs, and whether a signature is the one expected.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The secret is used as the text it was handed out as, not as the bytes it may be the hex of. */
export function hmac(secret: string, signed: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(signed).digest();
}

export function hmacHex(secret: string, signed: string | Buffer): string {
  return hmac(secret, signed).toString('hex');
}

const SHA256_HEX = /^[0-9a-f]{64}$/i;

/** In constant time; anything that is not 64 hex digits is no signature. */
export function signatureMatches(expected: Buffer, givenHex: string | undefined): boolean {
  if (givenHex === undefined || !SHA256_HEX.test(givenHex)) return false;
  return timingSafeEqual(expected, Buffer.from(givenHex, 'hex'));
}

// Node hands over a request's head with one character per byte, so latin1 gives back the bytes that were sent.
const bytesOfHead = (text: string) => Buffer.from(text, 'latin1');

export interface BodySigned {
  method: string;
  /** As sent, with the query string: nothing of a request stays unsigned. */
  target: string;
  timestamp: string;
  rawBody: Buffer;
}

/** POS, in-app and partner routes. The body is signed as bytes: never decoded, never trimmed. */
export function bodySignedString({ method, target, timestamp, rawBody }: BodySigned): Buffer {
  return Buffer.concat([bytesOfHead(`${method}\n${target}\n${timestamp}\n`), rawBody]);
}

export interface InboundSigned extends BodySigned {
  nonce: string;
  /** Empty when the request has none. */
  idempotencyKey: string;
}

export function inboundSignedString(request: InboundSigned): Buffer {
  const { method, target, timestamp, nonce, idempotencyKey, rawBody } = request;
  const bodyHash = createHash('sha256').update(rawBody).digest('hex');
  return bytesOfHead([method, target, timestamp, nonce, idempotencyKey, bodyHash].join('\n'));
}

export interface ServiceSigned {
  method: string;
  /** As sent; it is signed as path and query. */
  target: string;
  timestamp: string;
}

/**
 * Null where the target holds the separator itself: /a?b|c and /a|b?c would then share one signature.
 * A client that writes URLs by the book sends %7C and never meets this.
 */
export function serviceSignedString({ method, target, timestamp }: ServiceSigned): Buffer | null {
  if (target.includes('|')) return null;
  const cut = target.indexOf('?');
  const path = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? '' : target.slice(cut + 1);
  return bytesOfHead([method, path, query, timestamp].join('|'));
}

/** What X-Hook-Signature of an outbound webhook covers. */
export function webhookSignedString(timestamp: string, rawBody: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]);
}
