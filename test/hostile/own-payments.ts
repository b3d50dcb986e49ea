// Payments of a customer under /me that can succeed: quotes, requests and cash-out codes, prepared through the API.
import { assertStatus, type Json } from '../support/gateway.ts';
import type { Host, PreparedRequest } from './world.ts';

export interface PayingCustomer {
  token: string;
  phone: string;
  pin: string;
}

export interface PaidParties {
  /** Of staff who ask for a merchant and redeem for an agent. */
  admin: string;
  merchantId: string;
  agent: { id: string; pin: string };
  friendPhone: string;
}

const ME = '/api/v1/me';
let requests = 0;
const newId = () => `hostile-own-${++requests}`;

/** By the operation's name. Quotes and codes end, so they are prepared again periodically. */
export async function prepareOwnPayments(
  { call }: Host,
  customer: PayingCustomer,
  parties: PaidParties,
): Promise<[string, PreparedRequest][]> {
  const { token: bearer, phone, pin } = customer;
  const send = async (path: string, body: Json): Promise<Json> => {
    const reply = await call('POST', ME + path, { token: bearer, body });
    return assertStatus(reply, path === '/quote' ? 200 : 201).json;
  };
  const confirmed = async (body: Json) => {
    const { quote } = await send('/quote', { amount: 10, ...body });
    return () => ({ quote_id: quote.id, pin, request_id: newId() });
  };
  /** A link, so that no limit on notices and no payment of another request ends it. */
  const asked = async (): Promise<Json> => {
    const body = { processor_id: parties.merchantId, amount: 10, description: 'Hostile', single_use: false };
    const reply = await call('POST', '/api/v1/payment-requests', { token: parties.admin, body });
    return assertStatus(reply, 201).json.payment_request;
  };
  const code = async (): Promise<Json> =>
    (await send('/cash-out-codes', { amount: 10, pin, request_id: newId() })).cash_out_code;
  const own = async () =>
    (await send('/payment-requests', { amount: 10, description: 'Own', request_id: newId() })).payment_request.id;
  const [request, redeemed, cancelled] = [await asked(), await code(), await code()];
  const redemption = () => {
    const { id: agent_id, pin: agentPin } = parties.agent;
    return { code: redeemed.code, phone_number: phone, pin: agentPin, agent_id, request_id: newId() };
  };
  const { id: pathValue } = request;
  const nothing = () => ({});
  const toMerchant = { type: 'payment_request', payment_request_id: request.id };
  const merchant = assertStatus(
    await call('GET', `/api/v1/processors/${parties.merchantId}`, { token: parties.admin }),
    200,
  );
  const { merchant_number } = merchant.json.processor;
  const mine: Record<string, PreparedRequest> = {
    'POST /transfers': { fields: await confirmed({ type: 'transfer', phone_number: parties.friendPhone }) },
    'POST /payments': { fields: await confirmed({ type: 'merchant', merchant_number }) },
    'POST /payment-requests/{id}/approve': { pathValue, fields: await confirmed(toMerchant) },
    'POST /payment-requests/{id}/decline': { pathValue, fields: nothing },
    'POST /payment-requests/{id}/block-payee': { pathValue, fields: nothing },
    'POST /payment-requests/{id}/unblock-payee': { pathValue, fields: nothing },
    'POST /payment-requests/{id}/cancel': { pathValue: await own(), fields: nothing },
    'GET /payment-requests/{id}': { pathValue: await own(), fields: nothing },
    'POST /cash-out-codes/{id}/cancel': { pathValue: cancelled.id, fields: nothing },
  };
  const prepared = Object.entries(mine).map(([name, described]): [string, PreparedRequest] => {
    const [method, path] = name.split(' ');
    return [`${method} ${ME}${path}`, { bearer, ...described }];
  });
  return [
    ...prepared,
    ['GET /api/v1/payment-requests/by-code/{code}', { bearer, pathValue: request.code, fields: nothing }],
    ['POST /api/v1/agents/cashout-code', { bearer: parties.admin, fields: redemption }],
  ];
}
