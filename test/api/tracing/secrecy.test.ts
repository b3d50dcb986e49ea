// Tests that nothing secret or personal is in any span or traced log line, after payments, logins, USSD and hosted pages.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newFundedAgent } from '../../support/agents.ts';
import { challenged, newPhone } from '../../support/customers.ts';
import { ADMIN, assertStatus, testGateway } from '../../support/gateway.ts';
import { createBank, PIN } from '../../support/money.ts';
import { collector, exported } from '../../support/otlp.ts';
import { LAB, newId, shopOf } from '../../support/payment-requests.ts';
import { newRequestId } from '../../support/terminal.ts';
import { dial, FORMATS, NEXT_SECRET, USSD, USSD_SECRET, walk } from '../../support/ussd.ts';
import { waitFor } from '../../support/wait.ts';
import { answering, deliver, receiver } from '../../webhooks/receiver.ts';
import { newShop } from '../webhooks/support.ts';

const COLLECTORS_TOKEN = 'of-the-collector-0123456789';
const at = await collector();
const env = {
  ...{ ...USSD, ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: at.url },
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTORS_TOKEN}`,
};
const kissi = await testGateway({ env });
const tracing = kissi.tracing ?? assert.fail();
const bank = await createBank(kissi);
const hooks = await receiver(answering(200));
after(async () => {
  await kissi.close();
  await Promise.all([hooks.close(), at.close()]);
});

const OLD_PIN = '7391';
const NEW_PIN = '5820';
const WRONG = '6482';
const FIRST_NAME = 'Yeabu-Secretname';
const PAGE = { accept: 'text/html' };

/** A number by itself, not digits inside an id, a time or a port. */
const alone = (digits: string) => new RegExp(`(?<![0-9A-Za-z.:_+-])${digits}(?![0-9A-Za-z.:_-])`);

test('no PIN, code, token, key, phone number, name or secret path is in any span or log line', async () => {
  const secrets = new Map<string, string>([
    ['USSD secret', USSD_SECRET],
    ['next USSD secret', NEXT_SECRET],
    ['API key', bank.key],
    ['collector token', COLLECTORS_TOKEN],
    ['password', ADMIN.password],
    ['first name', FIRST_NAME],
    ['admin token', await kissi.adminToken()],
  ]);
  const customer = await bank.wallet(500_000, { pin: OLD_PIN, first_name: FIRST_NAME });
  const payee = await bank.wallet(0, { first_name: FIRST_NAME });
  const agent = await newFundedAgent(kissi, 500_000);
  secrets.set("payer's number", customer.phone.slice(4)).set("payee's number", payee.phone.slice(4));
  secrets.set("agent's number", agent.phone.slice(4));

  // Payments, also refused ones, with a traceparent that tries to carry a secret.
  const pay = (pin: string, headers = {}) => {
    const body = { sender_id: customer.id, recipient_phone: payee.phone, amount: 100, pin, request_id: newRequestId() };
    return bank.post('/wallet/transfer', body, headers);
  };
  assertStatus(
    await pay(OLD_PIN, { traceparent: `00-${OLD_PIN.repeat(8)}-${OLD_PIN}-01`, tracestate: `pin=${OLD_PIN}` }),
    200,
  );
  await pay(WRONG);
  assertStatus(await kissi.call('POST', `/api/v1/wallet/transfer?pin=${OLD_PIN}`, { body: {}, token: bank.key }), 400);

  // A merchant's webhook, whose address has a query.
  const shop = await newShop(kissi, bank);
  const endpoint = await shop.endpoint(hooks.url, ['payment.completed']);
  secrets.set('webhook secret', endpoint.secret).set("webhook's query", 'tenant=7');
  const { card } = await bank.customer(50_000);
  secrets.set('card', card);
  assertStatus(await shop.terminal.pay(card, { amount: 900 }), 200);
  await deliver(kissi);

  // A customer's login, quote and payment.
  const phone = await newPhone(kissi, customer, { pin: OLD_PIN });
  secrets
    .set("customer's token", phone.token)
    .set('device token', phone.deviceToken)
    .set('refresh', phone.refreshToken);
  const { code: loginCode } = await challenged(kissi, payee);
  const asked = { type: 'transfer', phone_number: payee.phone, amount: 50 };
  const { quote } = assertStatus(await phone.post('/me/quote', asked), 200).json;
  const paid = await phone.post('/me/transfers', { quote_id: quote.id, pin: OLD_PIN, request_id: newId() });
  assertStatus(paid, 200);
  assertStatus(await phone.get('/me/transactions'), 200);

  // Hosted pages: of a payment request and of a receipt, also with addresses that are wrong.
  const requests = await shopOf(kissi);
  const request = await requests.asked({ amount: 500, description: FIRST_NAME });
  const page = new URL(request.payment_url ?? request.url, kissi.url).pathname;
  assert.match(page, /^\/pay\/.{10,}/);
  secrets.set('payment page', page.slice('/pay/'.length)).set('request code', request.code);
  assertStatus(await kissi.call('GET', page, { headers: PAGE }), 200);
  for (const wrong of [`${page}x`, `${page}/more`, `/x${page}`, `/wallet${page}`])
    await kissi.call('GET', wrong, { headers: PAGE });
  const { json: details } = await phone.get(`/me/transactions/${paid.json.transaction_id}`);
  const receipt = new URL(details.receipt_url ?? details.transaction.receipt_url, kissi.url).pathname;
  assert.match(receipt, /^\/r\/[\w-]{22}$/);
  secrets.set('receipt', receipt.slice('/r/'.length));
  assertStatus(await kissi.call('GET', receipt, { headers: PAGE }), 200);
  await kissi.call('GET', `${receipt}/x`, { headers: PAGE });

  // USSD: a transfer with a wrong PIN, a request, a cash-out code, a change of the PIN, a wrong path.
  for (const format of FORMATS) {
    const payer = await bank.wallet(500_000, { pin: OLD_PIN, first_name: FIRST_NAME });
    const type = (...inputs: string[]) => dial(kissi, payer.phone, format).type(...inputs);
    await type('1', payee.phone, '10', WRONG, OLD_PIN);
    await type('3', request.code, OLD_PIN);
    const { text } = await type('2', '50', OLD_PIN);
    secrets.set(`number on ${format}`, payer.phone.slice(4));
    secrets.set(`cash-out code on ${format}`, /\d{8}/.exec(text)?.[0] ?? assert.fail(text));
    await walk(kissi, agent.phone, '1', payer.phone, '20', agent.pin);
    await type('4', '4', OLD_PIN, NEW_PIN, NEW_PIN);
    await kissi.call('POST', `/ussd/${format}/${USSD_SECRET}/x`, { body: {} });
    await kissi.call('GET', `/ussd/${format}/${USSD_SECRET}`);
  }

  const spans = await waitFor('the spans of all that', async () => {
    const found = await exported(tracing, at);
    const names = new Set(found.map(({ name }) => name));
    return [
      'GET /pay/:token',
      'GET /r/:token',
      'POST /ussd/json/:secret',
      'deliver payment.completed',
      'ledger batch',
    ].every((name) => names.has(name))
      ? found
      : null;
  });
  assert.ok(spans.length > 200, `${spans.length} spans`);
  // Ids and times are left out: four digits are in some of them by chance.
  const shown = spans.map(({ name, attributes }) => JSON.stringify({ name, attributes }));
  const lines = kissi.logs().split('\n');
  assert.ok(lines.some((line) => line.includes('"trace_id"') && line.includes('"route":"/pay/:token"')));
  for (const [what, secret] of secrets) {
    assert.ok(secret.length >= 7, `${what}: ${secret}`);
    assert.ok(!at.text().includes(secret), `${what} in a span`);
    assert.deepEqual(
      lines.filter((line) => line.includes(secret)),
      [],
      `${what} in a log line`,
    );
  }
  for (const pin of [OLD_PIN, NEW_PIN, WRONG, PIN, agent.pin, loginCode]) {
    assert.deepEqual(
      [...shown, ...lines].filter((text) => alone(pin).test(text)),
      [],
      `the PIN or code ${pin}`,
    );
  }
  // What a span can hold at all: a new attribute is decided here.
  const known =
    /^(http\.request\.method|http\.route|http\.response\.status_code|db\.system\.name|kissi\.(operation|refusal_code|batch\.size|event|attempt))$/;
  for (const { name, attributes } of spans) {
    assert.match(name, /^[\w .:/*-]{3,100}$/);
    for (const key of Object.keys(attributes)) assert.match(key, known);
  }
});
