// The part of the scenario about a customer's own payments: quotes, requests and cash-out codes.
import { agentToken, newAgent } from '../support/agents.ts';
import { user } from '../support/approvals.ts';
import { newPhone } from '../support/customers.ts';
import type { CallOptions, Json } from '../support/gateway.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

const PIN = '4821';

export async function ownPayments(scene: Scene, people: People, own: CallOptions): Promise<void> {
  await quotes(scene, people, own);
  await requests(scene, people, own);
  await cashOut(scene, people, own);
  await cases(scene, people, own);
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

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const WRONG_NUMBER = 'I typed 077 instead of 076.';

async function cases(scene: Scene, people: People, own: CallOptions): Promise<void> {
  const { send, refused, kissi } = scene;
  const transfer = async (to: Json, request_id: string): Promise<string> => {
    const quote = { type: 'transfer', phone_number: to.phone_number, amount: 2_000 };
    const { quote: quoted } = await send('POST', '/me/quote', quote, own);
    const body = { quote_id: quoted.id, pin: PIN, request_id };
    return (await send('POST', '/me/transfers', body, own)).transaction_id;
  };
  const stranger = async (phone_number: string, last_name: string): Promise<Json> => {
    const body = { phone_number, first_name: 'Foday', last_name, pin: PIN };
    return (await send('POST', '/subscribers', body)).subscriber;
  };
  const [foday, other] = [await stranger('+23276420001', 'Sesay'), await stranger('+23276420002', 'Turay')];
  const recipient = await newPhone(kissi, { id: foday.id, phone: foday.phone_number }, { pin: PIN });
  const transaction_id = await transfer(foday, 'own-2026-0101');
  const wrong = { kind: 'wrong_transfer', transaction_id, description: WRONG_NUMBER };
  const { case: opened } = await send('POST', '/me/cases', { ...wrong, pin: PIN }, own);
  await refused('CASE_EXISTS', 'POST', '/me/cases', { ...wrong, pin: PIN }, own);
  await send('GET', '/me/cases?limit=2', undefined, own);
  await send('GET', `/me/cases/${opened.id}`, undefined, own);
  await refused('NOT_FOUND', 'GET', '/me/cases/case_unknown', undefined, own);
  await send('POST', `/me/cases/${opened.id}/messages`, { text: 'He is a stranger to me.' }, own);
  const theirs = { token: recipient.token };
  const answer = { pin: PIN, request_id: 'own-2026-0102' };
  await refused('INVALID_PIN', 'POST', `/me/cases/${opened.id}/accept`, { ...answer, pin: '0000' }, theirs);
  await send('POST', `/me/cases/${opened.id}/accept`, answer, theirs);
  await refused('RECALL_ENDED', 'POST', `/me/cases/${opened.id}/contest`, undefined, theirs);
  await staffCases(scene, people, { own, transactionId: await transfer(other, 'own-2026-0103'), other });
  const outside = { ...wrong, transaction_id: await transfer(foday, 'own-2026-0104'), pin: PIN };
  const { case: asked } = await send('POST', '/me/cases', outside, own);
  await send('POST', `/cases/${asked.id}/recall`, { reason: 'Another person of the same name.' });
}

interface Call {
  own: CallOptions;
  transactionId: string;
  other: Json;
}

async function staffCases({ send, refused, kissi }: Scene, { aminata }: People, call: Call): Promise<void> {
  const { own, transactionId, other } = call;
  const compliance = await user(kissi, 'compliance_user', { email: 'compliance.cases@example.com' });
  const body = { kind: 'wrong_transfer', subscriber_id: aminata.id, transaction_id: transactionId };
  const { case: opened } = await send('POST', '/cases', { ...body, description: WRONG_NUMBER });
  const path = `/cases/${opened.id}`;
  const why = { reason: 'The recipient denies it, and three others complained.' };
  await refused('NO_RECALL', 'POST', `${path}/recall`, why);
  await send('POST', `/me/cases/${opened.id}/confirm`, { pin: PIN }, own);
  await refused('RECALL_OPEN', 'POST', `${path}/state`, { state: 'rejected', reason: 'Too early' });
  await send('POST', `${path}/extend-hold`, why);
  const phone = await newPhone(kissi, { id: other.id, phone: other.phone_number }, { pin: PIN });
  await send('POST', `/me/cases/${opened.id}/contest`, { reason: 'She owed it to me.' }, { token: phone.token });
  const order = { order_reference: 'High Court 17/2026', reason: 'Restitution', amount: 2_000 };
  await send('POST', `${path}/legal-order`, { ...order, request_id: 'order-2026-1' });
  await send('GET', '/cases?limit=2');
  await send('GET', path);
  await refused('NOT_FOUND', 'GET', '/cases/case_unknown');
  await send('POST', `${path}/assign`, { assignee_id: compliance.id });
  await refused('USER_NOT_FOUND', 'POST', `${path}/assign`, { assignee_id: 'usr_unknown' });
  await send('POST', `${path}/notes`, { text: 'Called back at 15:00; she sends a picture of the message.' });
  await send('POST', `${path}/messages`, { text: 'Please send us a picture of the message.' });
  await send('POST', `${path}/complex`, { reason: 'The recipient must be heard.' });
  const file = { raw: PNG, headers: { 'content-type': 'image/png' } };
  const { file: stored } = await send('POST', `${path}/files?name=Message`, undefined, file);
  await send('GET', `${path}/files/${stored.id}`);
  await send('POST', `${path}/state`, { state: 'resolved', reason: 'Both agreed at the branch.' });
  await refused('CASE_CLOSED', 'POST', `${path}/messages`, { text: 'Too late' });
  const again = { ...body, description: WRONG_NUMBER };
  const { case: second } = await send('POST', '/cases', again);
  await refused('NO_RECALL', 'POST', `/me/cases/${second.id}/confirm`, { pin: PIN }, own);
  const clocks = { acknowledge_days: 3, resolve_days: 5, complex_days: 15, working_days: [1, 2, 3, 4, 5] };
  const source = 'Internal rule of 1 March 2026, to be confirmed by the Bank of Sierra Leone';
  await send('POST', '/case-clocks', { valid_from: '2026-04-01', ...clocks, holidays: ['2026-04-27'], source });
  await send('GET', '/case-clocks?limit=2');
}
