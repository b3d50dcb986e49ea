// The part of the scenario about those who sign: terminals, apps, partner banks and the messaging platform.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MERCHANT_EVENTS } from '../../src/webhooks/merchant-event.ts';
import { assertStatus, type Json } from '../support/gateway.ts';
import { hubHeaders, messageObject, webhookPayload } from '../support/messaging.ts';
import { inboundHeaders, partnerHeaders, webhookHeaders } from '../support/partner.ts';
import { encryptPin, signatureHeaders } from '../support/terminal.ts';
import type { People } from './customers.ts';
import type { Scene } from './scene.ts';

export const CASHIN_SECRET = 'example-cash-in-secret-0001';
export const VERIFY_TOKEN = 'example-verify-token';
export const USSD_SECRET = 'example-secret-of-the-ussd-gateway';

export async function integrators(scene: Scene, people: People): Promise<void> {
  await cardPayments(scene, people);
  await inbound(scene, people);
  await partnerApi(scene, people);
  await messaging(scene, people);
  await ussd(scene, people);
  await deliveries(scene, people);
  await webhookEndpoints(scene, people);
  await certification(scene, people);
}

type Headers = (path: string, raw: string) => Record<string, string>;

/** Sends a signed body; a `code` is the expected refusal. */
async function signed({ kissi }: Scene, headers: Headers, path: string, body: object, code?: string): Promise<Json> {
  const raw = JSON.stringify(body);
  const reply = await kissi.call('POST', path, { raw, headers: headers(path, raw) });
  assert.equal(reply.json?.success, code === undefined, `${path}: ${reply.text}`);
  if (code) assert.equal(reply.json.code, code, reply.text);
  return reply.json;
}

async function cardPayments(scene: Scene, { processor, aminata }: People): Promise<void> {
  const { kissi } = scene;
  const at = new Date(kissi.clock.now()).toISOString();
  const { key } = processor;
  const sign: Headers = (path, body) => signatureHeaders(key, { method: 'POST', path, at, body });
  const card = { card_serial: '04:A1:B2:C3' };
  const encrypted_pin = encryptPin(key.secret, { pin: '4821', ...card });
  const parties = {
    merchant_id: processor.merchant_id,
    processor_id: processor.id,
    ...card,
    currency: 'SLE',
    encrypted_pin,
  };
  const atTerminal = { request_id: 'pos-2026-0001', ...parties, amount: 85_000, terminal_id: 'T-0001' };
  const paid = await signed(scene, sign, '/api/v1/pos/payment', atTerminal);
  await signed(scene, sign, '/api/v1/pos/payment', { ...atTerminal, amount: 86_000 }, 'REQUEST_CONFLICT');
  const large = { ...atTerminal, request_id: 'pos-2026-0002', amount: 9_000_000 };
  await signed(scene, sign, '/api/v1/pos/payment', large, 'INSUFFICIENT_BALANCE');
  const wrong = { ...large, encrypted_pin: encryptPin(key.secret, { pin: '0000', ...card }), amount: 1_000 };
  await signed(scene, sign, '/api/v1/pos/payment', { ...wrong, request_id: 'pos-2026-0003' }, 'INVALID_PIN');
  const forged: Headers = (path, body) => ({ ...sign(path, body), 'x-signature': '0'.repeat(64) });
  await signed(scene, forged, '/api/v1/pos/payment', atTerminal, 'INVALID_SIGNATURE');
  const inApp = { request_id: 'app-2026-0001', ...parties, amount: 32_000, metadata: { order: 'A-1042', table: 7 } };
  const app = await signed(scene, sign, '/api/v1/payment', inApp);
  const refund = { request_id: 'refund-2026-0001', transaction_id: paid.transaction_id, amount: 10_000 };
  await signed(scene, sign, '/api/v1/pos/refund', { ...refund, reason: 'One dish was not served' });
  const again = { ...refund, request_id: 'refund-2026-0002', amount: 80_000 };
  await signed(scene, sign, '/api/v1/pos/refund', again, 'REFUND_EXCEEDS_PAYMENT');
  const full = { request_id: 'refund-2026-0003', transaction_id: app.transaction_id };
  await signed(scene, sign, '/api/v1/payment/refund', full);
  await authorizations(scene, sign, atTerminal, inApp);
  await paymentRequests(scene, sign, processor.id, aminata);
  const byLogin = { request_id: 'refund-2026-0004', transaction_id: paid.transaction_id, amount: 5_000 };
  await scene.send('POST', `/processors/${processor.id}/refunds`, { ...byLogin, reason: 'Voucher' });
  for (const where of ['pos', 'payment']) {
    await signed(scene, sign, `/api/v1/${where}/verify-card`, card);
    await signed(scene, sign, `/api/v1/${where}/verify-account`, { phone_number: aminata.phone_number });
    await signed(scene, sign, `/api/v1/${where}/lookup-card`, card);
  }
}

/** One is paid in the lab, one declined, one cancelled; and a customer asks another. */
async function paymentRequests(
  scene: Scene,
  sign: Headers,
  processorId: string,
  aminata: People['aminata'],
): Promise<void> {
  const { send } = scene;
  const hosts = { return_hosts: ['shop.example.com'] };
  await send('POST', `/processors/${processorId}/return-hosts`, hosts);
  await send('GET', `/processors/${processorId}/return-hosts`);
  const ask = (request_id: string, extra: object = {}) =>
    signed(scene, sign, '/api/v1/payment-requests', {
      ...{ processor_id: processorId, amount: 45_000, description: 'Order A-1043', reference: 'A-1043', request_id },
      ...{ payer_phone: aminata.phone_number, return_url: 'https://shop.example.com/thanks', ...extra },
    });
  const { payment_request: paid } = await ask('ask-2026-0001');
  const { payment_request: declined } = await ask('ask-2026-0002');
  const { payment_request: cancelled } = await ask('ask-2026-0003', { single_use: false, expires_in: 2_592_000 });
  const pin = { payer_id: aminata.id, pin: '4821' };
  const wrong = { ...pin, request_id: 'pay-2026-0001', amount: 44_000 };
  const page = `/${new URL(paid.url).pathname}`;
  await send('GET', page);
  await send('POST', `${page}/notify`, { phone_number: '076 345 678' });
  await scene.refused('AMOUNT_MISMATCH', 'POST', `/admin/lab/payment-requests/${paid.id}/confirm`, wrong);
  const right = { ...pin, request_id: 'pay-2026-0002' };
  await send('POST', `/admin/lab/payment-requests/${paid.id}/confirm`, right);
  await send('POST', `/admin/lab/payment-requests/${declined.id}/decline`, { payer_id: aminata.id });
  await send('POST', `/payment-requests/${cancelled.id}/cancel`);
  await send('GET', `/payment-requests/${paid.id}`);
  await send('GET', '/payment-requests?status=paid&limit=2');
  const lunch = { subscriber_id: aminata.id, amount: 5_000, description: 'Lunch', request_id: 'ask-2026-0004' };
  await send('POST', '/admin/lab/payment-requests', lunch);
}

/** At a terminal, and in an app: one payment is captured in part, the other voided. */
async function authorizations(scene: Scene, sign: Headers, atTerminal: object, inApp: object): Promise<void> {
  const places = [
    ['pos', '/api/v1/pos/payment', { ...atTerminal, amount: 50_000 }],
    ['app', '/api/v1/payment', { ...inApp, amount: 20_000 }],
  ] as const;
  for (const [place, path, payment] of places) {
    const authorize = async (request_id: string) =>
      (await signed(scene, sign, path, { ...payment, request_id: `${place}-${request_id}`, capture: false }))
        .transaction_id;
    const kept = await authorize('authorized-2026-0001');
    const dropped = await authorize('authorized-2026-0002');
    if (place === 'pos') await readHolds(scene, kept);
    await signed(scene, sign, `${path}/${kept}/capture`, { request_id: `${place}-capture-2026-0001`, amount: 15_000 });
    await signed(scene, sign, `${path}/${dropped}/void`, { request_id: `${place}-void-2026-0001` });
  }
}

async function readHolds({ send }: Scene, id: string): Promise<void> {
  await send('GET', '/holds?status=active&limit=2');
  await send('GET', `/holds/${id}`);
}

async function inbound(scene: Scene, { aminata, partner }: People): Promise<void> {
  const { kissi, send } = scene;
  const { api_key, secret } = await send('POST', '/admin/api-keys', {
    ...{ name: 'Rokel core banking', partner_id: partner.id },
    scopes: ['inbound:read', 'inbound:write', 'payments:read', 'payments:write'],
  });
  const key = { id: api_key.id, secret };
  partner.key = key;
  const at = new Date(kissi.clock.now()).toISOString();
  const sign =
    (idempotencyKey = ''): Headers =>
    (path, body) =>
      inboundHeaders(key, { method: 'POST', path, at, body }, { nonce: randomUUID(), idempotencyKey });
  const beneficiary = { msisdn: aminata.phone_number, currency: 'SLE' };
  const enquiry = await signed(scene, sign(), '/api/v1/inbound/name-enquiry', beneficiary);
  const { beneficiary_ref } = enquiry.data;
  const payer = { name: 'Rokel Textiles Ltd', account_masked: '****4411', bank_code: 'RCB' };
  const credit = {
    reference: 'RCB-2026-0001',
    amount: 250_000,
    ...beneficiary,
    beneficiary_ref,
    narration: 'Salary March',
  };
  const credited = await signed(scene, sign('op-1'), '/api/v1/inbound/credit', { ...credit, payer });
  const conflict = { ...credit, amount: 260_000 };
  await signed(scene, sign('op-2'), '/api/v1/inbound/credit', conflict, 'REFERENCE_CONFLICT');
  const unknown = { reference: 'RCB-2026-0002', amount: 250_000, msisdn: '+23276000009', currency: 'SLE' };
  await signed(scene, sign('op-3'), '/api/v1/inbound/credit', unknown, 'BENEFICIARY_NOT_FOUND');
  const path = `/api/v1/inbound/transactions/${credit.reference}`;
  const headers = inboundHeaders(key, { method: 'GET', path, at, body: '' });
  assert.equal((await kissi.call('GET', path, { headers })).status, 200);
  const { inbound_id } = credited.data;
  await send('GET', '/admin/inbound?limit=2');
  await send('GET', `/admin/inbound/${inbound_id}`);
  const reversal = { reason: 'Sent twice by the bank', request_id: 'reverse-2026-0001' };
  await send('POST', `/admin/inbound/${inbound_id}/reverse`, reversal);
}

async function partnerApi(scene: Scene, { aminata, partner }: People): Promise<void> {
  const at = new Date(scene.kissi.clock.now()).toISOString();
  const sign: Headers = (path, body) => partnerHeaders(partner.key, partner.id, { method: 'POST', path, at, body });
  const person = { phone_number: aminata.phone_number };
  await signed(scene, sign, '/api/v1/partner/account-status', person);
  const cashIn = { ...person, amount: 30_000, reference: 'CASH-2026-0001', narration: 'Counter 3, Bo branch' };
  await signed(scene, sign, '/api/v1/partner/cashin', cashIn);
  const history = '/api/v1/partner/transaction-history';
  await signed(scene, sign, history, { limit: 2 });
  const headers = { ...sign(history, '{}'), accept: 'text/csv' };
  assert.equal((await scene.kissi.call('POST', history, { raw: '{}', headers })).status, 200);
  const notification = { card_serial: '04:A1:B2:C3', amount: 15_000, reference: 'NOTE-2026-0001' };
  const webhook: Headers = (_path, raw) => webhookHeaders(CASHIN_SECRET, raw);
  await signed(scene, webhook, '/webhooks/partner/cashin', notification);
}

async function messaging({ kissi }: Scene, { aminata }: People): Promise<void> {
  const phone = aminata.phone_number;
  const message = { event: 'message', message: 'What is my balance?', from: phone.slice(1), phoneE164: phone };
  const platform = webhookPayload({ messages: [messageObject({ id: 'wamid.EXAMPLE', phone, text: 'Hello' })] });
  const raw = JSON.stringify(platform);
  for (const at of ['/api/v1', '']) {
    const challenge = `hub.mode=subscribe&hub.verify_token=${VERIFY_TOKEN}&hub.challenge=1158201444`;
    const replies = [
      await kissi.call('POST', `${at}/external/messaging`, { body: message }),
      await kissi.call('GET', `${at}/webhooks/messaging?${challenge}`),
      await kissi.call('POST', `${at}/webhooks/messaging`, { raw, headers: hubHeaders(raw) }),
    ];
    for (const { status, text } of replies) assert.equal(status, 200, text);
  }
}

async function ussd({ kissi, send }: Scene, { aminata }: People): Promise<void> {
  const { phone_number } = aminata;
  const form = { sessionId: 'ATUid_example', serviceCode: '*715#', networkCode: '61901', phoneNumber: phone_number };
  const post = (path: string, body: Record<string, string>) => kissi.call('POST', `/ussd/${path}`, { body });
  const step = { session_id: 'lab-1', phone_number, service_code: '*715#', sequence: 0 };
  for (const { status, text } of [
    await post(`africastalking/${USSD_SECRET}`, { ...form, text: '' }),
    await post(`africastalking/${USSD_SECRET}/ended`, { sessionId: form.sessionId, status: 'Incomplete' }),
    await kissi.call('POST', `/ussd/json/${USSD_SECRET}`, { body: step }),
  ]) {
    assert.equal(status, 200, text);
  }
  await send('POST', '/admin/lab/ussd', { phone_number, session_id: 'phone-01', sequence: 0 });
  await send('GET', `/admin/lab/phone?phone_number=${encodeURIComponent(phone_number)}`);
}

async function deliveries({ send, kissi }: Scene, { partner }: People): Promise<void> {
  await kissi.gateway.services.webhooks.settled();
  // A reversal's event is sent after its credit's.
  for (const _ of ['credits', 'reversals']) {
    await kissi.gateway.services.webhooks.deliver();
    await kissi.gateway.services.webhooks.settled();
  }
  const { deliveries } = await send('GET', '/admin/webhook-deliveries?limit=1');
  await send('GET', `/admin/webhook-deliveries/${deliveries[0].id}`);
  await send('POST', `/admin/webhook-deliveries/${deliveries[0].id}/replay`);
  await kissi.gateway.services.requestLog.flush();
  const get = async (path: string): Promise<void> => {
    const at = new Date(kissi.clock.now()).toISOString();
    const signedPath = `/api/v1${path}`;
    const headers = signatureHeaders(partner.key, { method: 'GET', path: signedPath, at, body: '' });
    assertStatus(await kissi.call('GET', signedPath, { headers }), 200);
  };
  await get('/request-log?limit=1');
  await get('/webhook-deliveries?limit=1');
  await get(`/webhook-deliveries/${deliveries[0].id}`);
}

/** A merchant's, with an example of each event. */
async function webhookEndpoints({ send, refused, kissi, hooksUrl }: Scene, { processor }: People): Promise<void> {
  const settle = async (): Promise<void> => {
    await kissi.gateway.services.webhooks.deliver();
    await kissi.gateway.services.webhooks.settled();
  };
  const events = ['payment.completed', 'payment.refunded'];
  const owned = { url: hooksUrl, events, processor_id: processor.id };
  const { webhook_endpoint: endpoint } = await send('POST', '/webhook-endpoints', owned);
  const path = `/webhook-endpoints/${endpoint.id}`;
  for (const _ of '2345') await send('POST', '/webhook-endpoints', owned);
  await refused('WEBHOOK_ENDPOINT_LIMIT', 'POST', '/webhook-endpoints', owned);
  await send('GET', '/webhook-endpoints?limit=2');
  await send('GET', path);
  await send('PUT', path, { events: [...events, 'payout.sent'] });
  for (const type of MERCHANT_EVENTS) await send('POST', `${path}/test`, { type });
  await settle();
  const { deliveries } = await send('GET', '/webhook-deliveries?limit=1');
  await send('POST', `/webhook-deliveries/${deliveries[0].id}/replay`);
  await settle();
  await send('POST', `${path}/rotate-secret`, { overlap_seconds: 3_600 });
  await send('DELETE', path);
}

async function certification({ send }: Scene, { partner }: People): Promise<void> {
  const { certification: run } = await send('POST', '/admin/lab/certifications', {
    partner_id: partner.id,
    key_id: partner.key.id,
  });
  await send('GET', '/admin/lab/certifications?limit=2');
  await send('GET', `/admin/lab/certifications/${run.id}`);
  await send('POST', `/admin/lab/certifications/${run.id}/finish`);
}
