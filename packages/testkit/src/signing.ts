// Signs requests of terminals, apps, partners and services; each call of a signer makes a new signature.
import {
  hmacHex,
  pinEncrypter,
  type SignatureHeaders,
  signHub,
  signInbound,
  signRequest,
  signService,
  verifyOutboundWebhook,
} from '@kissi/signatures/node';

/** Header names are in lower case, so that a test can replace one. */
export type Headers = Record<string, string>;

export interface Key {
  id: string;
  secret: string;
}

/** A request whose method, target, body and time are signed. */
export interface Unsigned {
  /** POST by default. */
  method?: string;
  /** Path and query string, as sent. */
  target: string;
  body?: string | Uint8Array;
  /** Milliseconds since 1970; the machine's time by default. */
  now?: number | undefined;
  /** As sent, instead of `now`. */
  timestamp?: string | undefined;
}

const bytes = (body: string | Uint8Array) => new Uint8Array(Buffer.from(body));
const complete = ({ method = 'POST', target, body = '', now = Date.now(), timestamp }: Unsigned) => ({
  method,
  target,
  body: bytes(body),
  now,
  timestamp,
});

function lowerCase(headers: SignatureHeaders): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export function terminalHeaders({ id, secret }: Key, request: Unsigned): Headers {
  return lowerCase(signRequest({ keyId: id, secret }, complete(request)));
}

export function partnerHeaders({ id, secret }: Key, partnerId: string, request: Unsigned): Headers {
  return lowerCase(signRequest({ keyId: id, secret, partnerId }, complete(request)));
}

export function inboundHeaders(
  { id, secret }: Key,
  request: Unsigned,
  options: { nonce?: string | undefined; idempotencyKey?: string | undefined } = {},
): Headers {
  return lowerCase(signInbound({ keyId: id, secret }, complete(request), options));
}

export function serviceHeaders(service: { name: string; secret: string }, request: Unsigned): Headers {
  return lowerCase(signService(service, complete(request)));
}

export const cashInHeaders = (secret: string, body: string | Uint8Array) => ({
  'x-webhook-signature': hmacHex(secret, body),
});
export const hubHeaders = (secret: string, body: string | Uint8Array) => lowerCase(signHub(secret, body));

/** Makes the headers of a POST request; each attempt needs new ones. `now` is the machine's time by default. */
export type Sign = (path: string, body: string, now?: number) => Headers;

export const bearer = (token: string) => (): Headers => ({ authorization: `Bearer ${token}` });

export const terminal =
  (key: Key): Sign =>
  (target, body, now) =>
    terminalHeaders(key, { target, body, now });

export const partner =
  ({ id, key }: { id: string; key: Key }): Sign =>
  (target, body, now) =>
    partnerHeaders(key, id, { target, body, now });

export const webhook =
  (secret: string): Sign =>
  (_path, body) =>
    cashInHeaders(secret, body);

/** Each attempt gets a new nonce and timestamp and the same idempotency key. */
export const inbound =
  (key: Key, idempotencyKey: string, nonce?: string): Sign =>
  (target, body, now) =>
    inboundHeaders(key, { target, body, now }, { idempotencyKey, nonce });

/** Whether one of the secrets signed this webhook. */
export function hookIsGenuine(secrets: readonly string[], headers: Headers, body: string | Uint8Array): boolean {
  const hook = { timestamp: headers['x-hook-timestamp'] ?? '', signature: headers['x-hook-signature'] };
  return verifyOutboundWebhook(secrets, { ...hook, rawBody: bytes(body) });
}

/** Deriving a key takes longer than encrypting a PIN. */
const encrypters = new Map<string, ReturnType<typeof pinEncrypter>>();

/** The value of `encrypted_pin`. */
export function encryptedPin(secret: string, content: { pin: string; card_serial: string }, iv?: Buffer): string {
  const encrypt = encrypters.get(secret) ?? pinEncrypter(secret);
  encrypters.set(secret, encrypt);
  return encrypt({ pin: content.pin, cardSerial: content.card_serial }, iv);
}
