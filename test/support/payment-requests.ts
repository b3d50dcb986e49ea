// Payment requests for tests: a merchant with its signing key, and customers who confirm through the lab.
import { terminalHeaders } from '@kissi/testkit/signing';
import { assertStatus, type CallReply, type Json, type TestGateway } from './gateway.ts';
import { PIN } from './money.ts';
import { type Merchant, newMerchant } from './processors.ts';
import { apiKey, type TestKey } from './staff.ts';

export const LAB = { LAB: 'on' };

let ids = 0;
export const newId = () => `ask-${++ids}`;

export interface Shop {
  merchant: Merchant;
  key: TestKey;
  /** Signed with the merchant's own key. */
  send(method: string, path: string, body?: unknown): Promise<CallReply>;
  /** Asks for 10,000 by default. */
  ask(extra?: Record<string, unknown>): Promise<CallReply>;
  /** The same, and returns the request. */
  asked(extra?: Record<string, unknown>): Promise<Json>;
  read(id: string): Promise<Json>;
}

export async function shopOf(kissi: TestGateway, merchant?: Merchant): Promise<Shop> {
  const owner = merchant ?? (await newMerchant(kissi));
  const key = await apiKey(kissi, ['payments:read', 'payments:write'], { processor_id: owner.id });
  const send: Shop['send'] = (method, path, body) => signed(kissi, key, method, path, body);
  const ask: Shop['ask'] = (extra = {}) =>
    send('POST', '/payment-requests', { amount: 10_000, description: 'Order 7', request_id: newId(), ...extra });
  return {
    ...{ merchant: owner, key, send, ask },
    asked: async (extra) => assertStatus(await ask(extra), 201).json.payment_request,
    read: async (id) => assertStatus(await send('GET', `/payment-requests/${id}`), 200).json.payment_request,
  };
}

export function signed(kissi: TestGateway, key: TestKey, method: string, path: string, body?: unknown) {
  const target = `/api/v1${path}`;
  const raw = body === undefined ? '' : JSON.stringify(body);
  const timestamp = new Date(kissi.clock.now()).toISOString();
  const headers = terminalHeaders(key, { method, target, timestamp, body: raw });
  return kissi.call(method, target, { ...(raw === '' ? {} : { raw }), headers });
}

/** Pays through the lab, on any gateway of the database. */
export function confirm(kissi: TestGateway, id: string, payer: string, extra: Record<string, unknown> = {}) {
  const body = { payer_id: payer, pin: PIN, request_id: newId(), ...extra };
  return kissi.asAdmin.post(`/admin/lab/payment-requests/${id}/confirm`, body);
}

export function decline(kissi: TestGateway, id: string, payer: string): Promise<CallReply> {
  return kissi.asAdmin.post(`/admin/lab/payment-requests/${id}/decline`, { payer_id: payer });
}
