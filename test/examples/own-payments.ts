// The part of the scenario about a customer's own payments: quotes, requests and cash-out codes.
import { agentToken, newAgent } from '../support/agents.ts';
import type { CallOptions, Json } from '../support/gateway.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

const PIN = '4821';

export async function ownPayments(scene: Scene, people: People, own: CallOptions): Promise<void> {
  await quotes(scene, people, own);
  await requests(scene, people, own);
  await cashOut(scene, people, own);
}

async function quotes({ send, refused }: Scene, { mohamed, processor }: People, own: CallOptions): Promise<void> {
  const transfer = { type: 'transfer', phone_number: mohamed.phone_number, amount: 2_500 };
  const { quote } = await send('POST', '/me/quote', transfer, own);
  await refused('SUBSCRIBER_NOT_FOUND', 'POST', '/me/quote', { ...transfer, phone_number: '+23299000000' }, own);
  const payment = { quote_id: quote.id, pin: PIN, request_id: 'own-2026-0001' };
  await refused('NOT_FOUND', 'POST', '/me/transfers', { ...payment, quote_id: 'unknown' }, own);
  await send('POST', '/me/transfers', payment, own);
  await send('GET', '/me/requests/own-2026-0001', undefined, own);
  await refused('QUOTE_USED', 'POST', '/me/transfers', { ...payment, request_id: 'own-2026-0002' }, own);
  const merchant = { type: 'merchant', merchant_number: processor.merchant_number, amount: 1_250 };
  const { quote: ofMerchant } = await send('POST', '/me/quote', merchant, own);
  await send('POST', '/me/payments', { quote_id: ofMerchant.id, pin: PIN, request_id: 'own-2026-0003' }, own);
}

async function requests({ send, refused }: Scene, { aminata, processor }: People, own: CallOptions): Promise<void> {
  const asked = async (request_id: string): Promise<Json> => {
    const body = { processor_id: processor.id, amount: 3_000, description: 'Lunch', payer_phone: aminata.phone_number };
    return (await send('POST', '/payment-requests', { ...body, request_id })).payment_request;
  };
  const request = await asked('asked-own-1');
  await send('GET', '/me/payment-requests/incoming?limit=2', undefined, own);
  await send('GET', `/payment-requests/by-code/${request.code}`, undefined, own);
  await send('GET', `/me/payment-requests/${request.id}`, undefined, own);
  await refused('NOT_FOUND', 'GET', '/me/payment-requests/prq_unknown', undefined, own);
  const named = { type: 'payment_request', payment_request_id: request.id };
  const { quote } = await send('POST', '/me/quote', named, own);
  const approval = { quote_id: quote.id, pin: PIN, request_id: 'own-2026-0004' };
  await send('POST', `/me/payment-requests/${request.id}/approve`, approval, own);
  await refused('ALREADY_PAID', 'POST', '/me/quote', named, own);
  const other = await asked('asked-own-2');
  await send('POST', `/me/payment-requests/${other.id}/decline`, undefined, own);
  await send('POST', `/me/payment-requests/${other.id}/block-payee`, undefined, own);
  await send('GET', '/me/blocked-payees', undefined, own);
  await send('POST', `/me/payment-requests/${other.id}/unblock-payee`, undefined, own);
  const body = { amount: 1_500, description: 'Half of the taxi', request_id: 'own-2026-0005' };
  const { payment_request: made } = await send('POST', '/me/payment-requests', body, own);
  await send('GET', '/me/payment-requests?limit=2', undefined, own);
  await send('POST', `/me/payment-requests/${made.id}/cancel`, undefined, own);
}

async function cashOut({ send, refused, kissi }: Scene, { aminata }: People, own: CallOptions): Promise<void> {
  const make = async (request_id: string): Promise<Json> =>
    (await send('POST', '/me/cash-out-codes', { amount: 5_000, pin: PIN, request_id }, own)).cash_out_code;
  const code = await make('own-2026-0006');
  const agent = await newAgent(kissi, { phone_number: '+23277900900', email: 'lumley.agent@example.com' });
  const token = await agentToken(kissi, agent);
  const redemption = {
    code: code.code,
    phone_number: aminata.phone_number,
    pin: agent.pin,
    request_id: 'redeem-2026-1',
  };
  const wrong = { ...redemption, code: '00000000' };
  await refused('INVALID_CODE', 'POST', '/agents/cashout-code', wrong, { token });
  await send('POST', '/agents/cashout-code', redemption, { token });
  const other = await make('own-2026-0007');
  await send('GET', '/me/cash-out-codes?limit=2', undefined, own);
  await send('GET', '/me/cash-out-codes/price?amount=5000', undefined, own);
  await send('POST', `/me/cash-out-codes/${other.id}/cancel`, undefined, own);
  await refused('ALREADY_PAID', 'POST', `/me/cash-out-codes/${code.id}/cancel`, undefined, own);
}
