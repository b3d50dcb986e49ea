// Valid credentials for any bytes: each scheme implemented over raw bytes, without the service's code.
import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Scheme } from './operations.ts';
import type { Random } from './random.ts';

export interface SigningKey {
  id: string;
  key: string;
  secret: string;
}

export interface Keyring {
  /** Bearer values of staff, agents, processors and API keys. */
  bearers: string[];
  terminal: SigningKey;
  partner: SigningKey & { partnerId: string };
  service: { name: string; secret: string };
  webhookSecret: string;
  appSecret: string;
}

export interface Unsigned {
  method: string;
  target: string;
  body: Buffer;
  /** The time of the service's clock, in milliseconds since 1970. */
  now: number;
}

export type Headers = [name: string, value: string][];

const hmac = (secret: string, ...parts: (string | Buffer)[]) =>
  createHmac('sha256', secret)
    .update(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))))
    .digest('hex');

export function credentialHeaders(
  scheme: Scheme,
  request: Unsigned,
  keyring: Keyring,
  { random, bearer, idempotencyKey }: { random: Random; bearer: string; idempotencyKey: string },
): Headers {
  const { method, target, body } = request;
  const at = new Date(request.now).toISOString();
  const bodySigned = ({ id, secret }: SigningKey): Headers => [
    ['x-api-key-id', id],
    ['x-timestamp', at],
    ['x-signature', hmac(secret, `${method}\n${target}\n${at}\n`, body)],
  ];
  switch (scheme) {
    case 'none':
    case 'metrics':
      return [];
    case 'bearer':
      return [['authorization', `Bearer ${bearer}`]];
    case 'pos':
      return bodySigned(keyring.terminal);
    case 'partner':
      return [...bodySigned(keyring.partner), ['x-partner-id', keyring.partner.partnerId]];
    case 'inbound':
      return inboundHeaders(request, keyring.partner, { at, nonce: random.uuid(), idempotencyKey });
    case 'webhook':
      return [['x-webhook-signature', hmac(keyring.webhookSecret, body)]];
    case 'same-origin':
      return [
        ['sec-fetch-site', 'same-origin'],
        ['cookie', `kissi_session=${bearer}`],
      ];
    case 'hub':
      return [['x-hub-signature-256', `sha256=${hmac(keyring.appSecret, body)}`]];
  }
}

function inboundHeaders(
  { method, target, body }: Unsigned,
  { id, secret }: SigningKey,
  { at, nonce, idempotencyKey }: { at: string; nonce: string; idempotencyKey: string },
): Headers {
  const hash = createHash('sha256').update(body).digest('hex');
  return [
    ['x-api-key-id', id],
    ['x-timestamp', at],
    ['x-nonce', nonce],
    ['x-signature', hmac(secret, [method, target, at, nonce, idempotencyKey, hash].join('\n'))],
    ...(idempotencyKey === '' ? [] : ([['x-idempotency-key', idempotencyKey]] as Headers)),
  ];
}

export function serviceHeaders({ method, target, now }: Unsigned, { name, secret }: Keyring['service']): Headers {
  const at = String(Math.floor(now / 1_000));
  const [path = '', ...query] = target.split('?');
  return [
    ['x-service-name', name],
    ['x-service-timestamp', at],
    ['x-service-signature', hmac(secret, [method, path, query.join('?'), at].join('|'))],
  ];
}

/** A compact JWE of a PIN for a card, encrypted with a key derived from the signing secret. */
export function encryptPin(secret: string, content: { pin: string; card_serial: string }, random: Random): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pin-encryption-v1', 32));
  const [iv, header] = [random.bytes(12), Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')];
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return [header, '', ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}
