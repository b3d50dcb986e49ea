// Synchronous signatures for Node: the strings that are signed, HMAC-SHA256, comparison, and signature headers.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  bodySignedText,
  type InboundOptions,
  inboundSignedText,
  type SignatureHeaders,
  type SignedHead,
  type SignedRequest,
  type SigningKey,
  STANDARD_PREFIX,
  serviceSignedText,
  standardSignedText,
  type Unsigned,
  unsignedInbound,
  unsignedRequest,
  unsignedService,
  webhookSignedText,
} from './unsigned.ts';

/** The HMAC key is the secret's text itself; hexadecimal secrets are not decoded. */
export function hmac(secret: string | Buffer, signed: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(signed).digest();
}

export function hmacHex(secret: string | Buffer, signed: string | Uint8Array): string {
  return createHmac('sha256', secret).update(signed).digest('hex');
}

const SHA256_HEX = /^[0-9a-f]{64}$/i;

/** Constant-time comparison. False unless the signature is 64 hexadecimal digits. */
export function signatureMatches(expected: Buffer, signatureHex: string | undefined): boolean {
  if (signatureHex === undefined || !SHA256_HEX.test(signatureHex)) return false;
  return timingSafeEqual(expected, Buffer.from(signatureHex, 'hex'));
}

// Node decodes the request line and headers as latin1, so encoding as latin1 restores the original bytes.
const headBytes = (text: string) => Buffer.from(text, 'latin1');
const sha256Hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface BodySigned extends SignedHead {
  rawBody: Buffer;
}

/** For POS, in-app and partner routes. Covers the raw bytes of the body. */
export function bodySignedString(request: BodySigned): Buffer {
  return Buffer.concat([headBytes(bodySignedText(request)), request.rawBody]);
}

export interface InboundSigned extends BodySigned {
  nonce: string;
  /** Empty if the request has none. */
  idempotencyKey: string;
}

export function inboundSignedString(request: InboundSigned): Buffer {
  return headBytes(inboundSignedText(request, request) + sha256Hex(request.rawBody));
}

/** Null if the target contains the separator. */
export function serviceSignedString(request: SignedHead): Buffer | null {
  const text = serviceSignedText(request);
  return text === null ? null : headBytes(text);
}

/** The string that an outbound webhook's X-Hook-Signature covers. */
export function webhookSignedString(timestamp: string, rawBody: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(webhookSignedText(timestamp)), rawBody]);
}

/** The value of X-Hook-Signature; `timestamp` is the value of X-Hook-Timestamp. */
export function signOutboundWebhook(secret: string, timestamp: string, rawBody: Uint8Array): string {
  return hmacHex(secret, webhookSignedString(timestamp, rawBody));
}

/**
 * One signature of the header Webhook-Signature, by Standard Webhooks. A secret that begins with whsec_ is base64; any other is
 * used as it is.
 */
export function signStandardWebhook(
  secret: string,
  head: { id: string; timestamp: string },
  rawBody: Uint8Array,
): string {
  const key = secret.startsWith(STANDARD_PREFIX) ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64') : secret;
  const mac = createHmac('sha256', key).update(standardSignedText(head)).update(rawBody);
  return `v1,${mac.digest('base64')}`;
}

/** Whether this X-Hook-Signature was made with one of the secrets. */
export function verifyOutboundWebhook(
  secrets: readonly string[],
  { timestamp, signature, rawBody }: { timestamp: string; signature: string | undefined; rawBody: Uint8Array },
): boolean {
  const signed = webhookSignedString(timestamp, rawBody);
  return secrets.some((secret) => signatureMatches(hmac(secret, signed), signature));
}

function sign(secret: string, { headers, signatureHeader, text, body }: Unsigned, bytes: Uint8Array): SignatureHeaders {
  const mac = createHmac('sha256', secret).update(text, 'latin1');
  if (body === 'bytes') mac.update(bytes);
  if (body === 'sha256') mac.update(sha256Hex(bytes));
  return { ...headers, [signatureHeader]: mac.digest('hex') };
}

/** For terminals and apps, and with `partnerId` for the partner API. */
export function signRequest(
  key: SigningKey & { partnerId?: string | undefined },
  request: SignedRequest,
): SignatureHeaders {
  return sign(key.secret, unsignedRequest(key, request), request.body);
}

/** For inbound requests from partner banks. Each attempt needs a new nonce. */
export function signInbound(
  key: SigningKey & { partnerId?: string | undefined },
  request: SignedRequest,
  options?: InboundOptions,
): SignatureHeaders {
  return sign(key.secret, unsignedInbound(key, request, options), request.body);
}

/** For calls between the operator's own services. */
export function signService(
  { name, secret }: { name: string; secret: string },
  request: Omit<SignedRequest, 'body'>,
): SignatureHeaders {
  return sign(secret, unsignedService(name, request), NO_BYTES);
}

const NO_BYTES = new Uint8Array(0);

/** For cash-in notifications. */
export function signCashIn(secret: string, body: Uint8Array | string): SignatureHeaders {
  return { 'X-Webhook-Signature': hmacHex(secret, body) };
}

/** For the messaging platform's webhook requests. */
export function signHub(secret: string, body: Uint8Array | string): SignatureHeaders {
  return { 'X-Hub-Signature-256': `sha256=${hmacHex(secret, body)}` };
}
