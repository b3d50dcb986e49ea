// A merchant's terminal or app for tests: signs requests and encrypts PINs.
import { encryptionKeyBytes, PIN_PURPOSE, sealJwe } from '@kissi/signatures/node';
import { terminalHeaders } from '@kissi/testkit/signing';
import type { Scope } from '../../src/auth/roles.ts';
import type { CallReply, TestGateway } from './gateway.ts';
import { PIN } from './money.ts';
import { type Merchant, newMerchant } from './processors.ts';
import { apiKey, type TestKey } from './staff.ts';

export const TERMINAL_SCOPES: Scope[] = ['payments:write', 'cards:read'];

export interface SignOptions {
  key?: Pick<TestKey, 'id' | 'secret'>;
  /** Sent unchanged instead of `body` as JSON. */
  raw?: string;
  /** RFC 3339; now by default. */
  timestamp?: string;
  headers?: Record<string, string>;
}

export interface Terminal {
  key: TestKey;
  merchant: Merchant;
  /** Sends a signed request; the path is relative to /api/v1. */
  send(path: string, body: unknown, options?: SignOptions): Promise<CallReply>;
  /** A valid payment body for this card with a new request_id. */
  payment(cardSerial: string, extra?: Record<string, unknown>): Record<string, unknown>;
  pay(cardSerial: string, extra?: Record<string, unknown>): Promise<CallReply>;
  payInApp(cardSerial: string, extra?: Record<string, unknown>): Promise<CallReply>;
  refund(transactionId: string, extra?: Record<string, unknown>): Promise<CallReply>;
  /** Encrypts the PIN for this card with the secret of the terminal's key. */
  encrypt(cardSerial: string, pin?: string): string;
}

let requests = 0;
export const newRequestId = () => `pos-${++requests}`;

/** A terminal of the given or a new merchant; by default its API key has no owner. */
export async function terminalOf(
  kissi: TestGateway,
  { merchant, keyExtra = {} }: { merchant?: Merchant; keyExtra?: Record<string, unknown> } = {},
): Promise<Terminal> {
  const owner = merchant ?? (await newMerchant(kissi));
  const key = await apiKey(kissi, TERMINAL_SCOPES, keyExtra);
  const encrypt = (cardSerial: string, pin = PIN) => encryptPin(key.secret, { pin, card_serial: cardSerial });
  const send: Terminal['send'] = (path, body, options = {}) =>
    sendSigned(kissi, `/api/v1${path}`, body, { key, ...options });

  function payment(cardSerial: string, extra: Record<string, unknown> = {}) {
    const parties = { merchant_id: owner.merchantId, processor_id: owner.id, card_serial: cardSerial };
    // JSON.stringify omits fields that `extra` sets to undefined.
    const body = { request_id: newRequestId(), ...parties, amount: 10_000, terminal_id: 'T-0001', ...extra };
    return 'encrypted_pin' in extra || 'pin' in extra ? body : { ...body, encrypted_pin: encrypt(cardSerial) };
  }

  return {
    key,
    merchant: owner,
    send,
    payment,
    pay: (cardSerial, extra) => send('/pos/payment', payment(cardSerial, extra)),
    payInApp: (cardSerial, extra) => send('/payment', payment(cardSerial, { terminal_id: undefined, ...extra })),
    refund: (transactionId, extra = {}) =>
      send('/pos/refund', { request_id: newRequestId(), transaction_id: transactionId, ...extra }),
    encrypt,
  };
}

export function sendSigned(
  kissi: TestGateway,
  path: string,
  body: unknown,
  {
    key,
    raw = JSON.stringify(body) ?? '',
    timestamp,
    headers = {},
  }: SignOptions & { key: Pick<TestKey, 'id' | 'secret'> },
): Promise<CallReply> {
  const at = timestamp ?? new Date(kissi.clock.now()).toISOString();
  const signed = { ...signatureHeaders(key, { method: 'POST', path, at, body: raw }), ...headers };
  return kissi.call('POST', path, { raw, headers: signed });
}

export function signatureHeaders(
  key: Pick<TestKey, 'id' | 'secret'>,
  { method, path, at, body }: { method: string; path: string; at: string; body: string },
): Record<string, string> {
  return terminalHeaders(key, { method, target: path, timestamp: at, body });
}

/** Contents and headers may be wrong. */
export function encryptPin(secret: string, content: unknown, header: object = { alg: 'dir', enc: 'A256GCM' }): string {
  return sealJwe(encryptionKeyBytes(secret, PIN_PURPOSE), content, { header: JSON.stringify(header) });
}
