// Payments by customers that can succeed: a quote, a request or a code for each way to use or end it.
import { assertStatus, type Json } from '../support/gateway.ts';
import type { Agent, Holder, Host, Merchant, PreparedRequest } from './world.ts';

export interface OwnPaymentParties {
  /** Of the customer who pays, with money. */
  token: string;
  payer: { phone: string };
  pin: string;
  recipient: Holder;
  /** Asks the customer. */
  merchant: Merchant;
  agent: Agent;
  adminToken: string;
}

const ME = '/api/v1/me';
const REQUESTS = `${ME}/payment-requests`;
let requests = 0;
const newId = () => `hostile-own-${++requests}`;

/** By the operation's name. Each is used once, so they are prepared again periodically. */
export async function prepareOwnPayments(
  { call }: Host,
  parties: OwnPaymentParties,
): Promise<[string, PreparedRequest][]> {
  const { token, payer, pin, recipient, merchant, agent, adminToken } = parties;
  const post = async (path: string, body: Json, as = token, status = 201): Promise<Json> =>
    assertStatus(await call('POST', path, { token: as, body }), status).json;

  async function quoted(input: Json) {
    const { quote } = await post(`${ME}/quote`, { amount: 200, ...input }, token, 200);
    const body = { quote_id: quote.id, pin, request_id: newId() };
    return () => body;
  }

  async function asked() {
    const body = { processor_id: merchant.id, amount: 300, description: 'Hostile', payer_phone: payer.phone };
    const { payment_request } = await post('/api/v1/payment-requests', { ...body, request_id: newId() }, adminToken);
    return payment_request;
  }

  const coded = async () =>
    (await post(`${ME}/cash-out-codes`, { amount: 500, pin, request_id: newId() })).cash_out_code;

  const { json } = await call('GET', `/api/v1/processors/${merchant.id}`, { token: adminToken });
  const to = { type: 'transfer', phone_number: recipient.phone };
  const [approved, declined, seen] = [await asked(), await asked(), await asked()];
  const own = await post(REQUESTS, { amount: 300, description: 'Hostile', request_id: newId() });
  const { code } = await coded();
  const nothing = () => ({});
  const redemption = { code, phone_number: payer.phone, pin: agent.pin, request_id: newId() };
  const named = (id: string) => ({ pathValue: id, fields: nothing });
  const prepared: Record<string, PreparedRequest> = {
    [`POST ${ME}/quote`]: { fields: () => ({ ...to, amount: 200 }) },
    [`POST ${ME}/transfers`]: { fields: await quoted(to) },
    [`POST ${ME}/payments`]: {
      fields: await quoted({ type: 'merchant', merchant_number: json.processor.merchant_number }),
    },
    [`POST ${ME}/cash-out-codes`]: { fields: () => ({ amount: 500, pin, request_id: newId() }) },
    [`POST ${ME}/cash-out-codes/{id}/cancel`]: named((await coded()).id),
    [`POST ${REQUESTS}/{id}/approve`]: {
      pathValue: approved.id,
      fields: await quoted({ type: 'payment_request', payment_request_id: approved.id, amount: undefined }),
    },
    [`POST ${REQUESTS}/{id}/decline`]: named(declined.id),
    [`POST ${REQUESTS}/{id}/block-payee`]: named(seen.id),
    [`POST ${REQUESTS}/{id}/unblock-payee`]: named(seen.id),
    [`GET ${REQUESTS}/{id}`]: named(own.payment_request.id),
    [`POST ${REQUESTS}/{id}/cancel`]: named(own.payment_request.id),
    'GET /api/v1/payment-requests/by-code/{code}': named(seen.code),
    'POST /api/v1/agents/cashout-code': { bearer: agent.token, fields: () => redemption },
  };
  return Object.entries(prepared).map(([name, request]) => [name, { bearer: token, ...request }]);
}
