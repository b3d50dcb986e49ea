// Canonical strings of the signature schemes, HMAC-SHA256, and constant-time comparison of signatures.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The HMAC key is the secret's text itself; hexadecimal secrets are not decoded. */
export function hmac(secret: string, signed: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(signed).digest();
}

export function hmacHex(secret: string, signed: string | Buffer): string {
  return hmac(secret, signed).toString('hex');
}

const SHA256_HEX = /^[0-9a-f]{64}$/i;

/** Constant-time comparison. False unless the signature is 64 hexadecimal digits. */
export function signatureMatches(expected: Buffer, signatureHex: string | undefined): boolean {
  if (signatureHex === undefined || !SHA256_HEX.test(signatureHex)) return false;
  return timingSafeEqual(expected, Buffer.from(signatureHex, 'hex'));
}

// Node decodes the request line and headers as latin1, so encoding as latin1 restores the original bytes.
const headBytes = (text: string) => Buffer.from(text, 'latin1');

export interface BodySigned {
  method: string;
  /** As sent, with the query string, so that the signature covers it. */
  target: string;
  timestamp: string;
  rawBody: Buffer;
}

/** For POS, in-app and partner routes. Covers the raw bytes of the body. */
export function bodySignedString({ method, target, timestamp, rawBody }: BodySigned): Buffer {
  return Buffer.concat([headBytes(`${method}\n${target}\n${timestamp}\n`), rawBody]);
}

export interface InboundSigned extends BodySigned {
  nonce: string;
  /** Empty if the request has none. */
  idempotencyKey: string;
}

export function inboundSignedString(request: InboundSigned): Buffer {
  const { method, target, timestamp, nonce, idempotencyKey, rawBody } = request;
  const bodyHash = createHash('sha256').update(rawBody).digest('hex');
  return headBytes([method, target, timestamp, nonce, idempotencyKey, bodyHash].join('\n'));
}

export interface ServiceSigned {
  method: string;
  /** As sent; path and query are signed as separate fields. */
  target: string;
  timestamp: string;
}

/**
 * Null if the target contains the separator: /a?b|c and /a|b?c would have the same signature. Standard clients encode
 * the character as %7C.
 */
export function serviceSignedString({ method, target, timestamp }: ServiceSigned): Buffer | null {
  if (target.includes('|')) return null;
  const cut = target.indexOf('?');
  const path = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? '' : target.slice(cut + 1);
  return headBytes([method, path, query, timestamp].join('|'));
}

/** The string that X-Hook-Signature of an outbound webhook covers. */
export function webhookSignedString(timestamp: string, rawBody: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]);
}
