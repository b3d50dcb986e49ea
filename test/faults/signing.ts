// Signs requests as the integration guides describe, without the service's code; each attempt gets a new signature.
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { Key, Partner } from './parties.ts';

export type Headers = Record<string, string>;

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const now = () => new Date().toISOString();

export const bearer = (token: string) => (): Headers => ({ authorization: `Bearer ${token}` });

export const terminal =
  ({ id, secret }: Key) =>
  (path: string, body: string): Headers => {
    const at = now();
    const signature = hmac(secret, `POST\n${path}\n${at}\n${body}`);
    return { 'x-api-key-id': id, 'x-timestamp': at, 'x-signature': signature };
  };

export const partner =
  ({ id, key }: Partner) =>
  (path: string, body: string): Headers => ({ ...terminal(key)(path, body), 'x-partner-id': id });

export const webhook =
  (secret: string) =>
  (_path: string, body: string): Headers => ({ 'x-webhook-signature': hmac(secret, body) });

/** Each attempt gets a new nonce and timestamp and the same idempotency key. */
export const inbound =
  ({ id, secret }: Key, idempotencyKey: string, nonce?: string) =>
  (path: string, body: string): Headers => {
    const [at, usedNonce] = [now(), nonce ?? randomUUID()];
    const hash = createHash('sha256').update(body).digest('hex');
    const signature = hmac(secret, ['POST', path, at, usedNonce, idempotencyKey, hash].join('\n'));
    const signed = { 'x-api-key-id': id, 'x-timestamp': at, 'x-nonce': usedNonce, 'x-signature': signature };
    return { ...signed, 'x-idempotency-key': idempotencyKey };
  };

export function hookIsGenuine(secrets: readonly string[], headers: Headers, body: string): boolean {
  const signed = `${headers['x-hook-timestamp']}.${body}`;
  return secrets.some((secret) => hmac(secret, signed) === headers['x-hook-signature']);
}

/** Builds a compact JWE without a library, as a terminal does. */
export function encryptedPin(secret: string, content: { pin: string; card_serial: string }): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pin-encryption-v1', 32));
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return `${header}..${[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')}`;
}
