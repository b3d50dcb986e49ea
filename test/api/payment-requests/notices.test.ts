// Tests notices to payers: what they say, and the limits that leave no room for spam and phishing.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ussdCaller } from '../../../src/auth/caller.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile, type Wallet } from '../../support/money.ts';
import { confirm, decline, LAB, shopOf } from '../../support/payment-requests.ts';
import { newMerchant } from '../../support/processors.ts';

const { kissi, bank } = await bankForFile({ env: { ...LAB, USSD_SERVICE_CODE: '*715#' } });
const { paymentRequests } = kissi.gateway.services;

const newShop = async (name = 'Lumley Beach Grill') => shopOf(kissi, await newMerchant(kissi, { business_name: name }));
const [one, two, three, four] = [await newShop(), await newShop(), await newShop(), await newShop()];

async function sentTo(phone: string): Promise<string[]> {
  const { messages } = await kissi.gateway.services.messaging.outbox({ limit: 100, offset: 0 });
  return messages.filter(({ to, kind }) => to === phone && kind === 'request_to_pay').map(({ text }) => text);
}

let payer: Wallet;
beforeEach(async () => {
  payer = await bank.wallet(100_000);
});

test('a notice says PAY, with the registered name, amount and code, and nothing of what the payee wrote', async () => {
  const shop = await newShop('Kroo Town Pharmacy');
  const asked = await shop.asked({ amount: 125_000, description: 'You have WON, call 99', payer_phone: payer.phone });
  assert.deepEqual(await sentTo(payer.phone), [
    [
      'You will PAY SLE 1,250.00 to Kroo Town Pharmacy if you confirm.',
      `Code ${asked.code} (*715*0*${asked.code}#).`,
      'Not expected? Do nothing. Never send your PIN.',
    ].join(' '),
  ]);
});

test('without an amount the payer is told to choose; a customer who asks is named by first name and initial', async () => {
  await one.asked({ amount: null, payer_phone: payer.phone });
  assert.match((await sentTo(payer.phone))[0] ?? '', /^You will PAY what you choose to Lumley Beach Grill/);
  const friend = await bank.wallet();
  const body = { subscriber_id: friend.id, amount: 500, description: 'Lunch', payer_phone: payer.phone };
  assertStatus(await kissi.asAdmin.post('/admin/lab/payment-requests', body), 201);
  assert.match((await sentTo(payer.phone))[0] ?? '', /^You will PAY SLE 5\.00 to Aminata K\. if you confirm/);
});

test('only registered and active payers get one, and the reply is the same for any number', async () => {
  const blocked = await bank.wallet();
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Fraud' }), 200);
  const shapes = [];
  for (const payer_phone of [payer.phone, '+23299000001', blocked.phone]) {
    const {
      id: _,
      code: _code,
      ussd: _ussd,
      url: _url,
      qr: _qr,
      payer_phone: _phone,
      ...rest
    } = await (await newShop()).asked({ payer_phone, request_id: 'same' });
    shapes.push({ ...rest, processor_id: '' });
  }
  assert.deepEqual(shapes[1], shapes[0]);
  assert.deepEqual(shapes[2], shapes[0]);
  assert.deepEqual([(await sentTo(payer.phone)).length, (await sentTo(blocked.phone)).length], [1, 0]);
});

test('a repeated request sends it once', async () => {
  const body = { amount: 5, description: 'Once', payer_phone: payer.phone, request_id: 'notice-once' };
  for (let n = 0; n < 3; n++) assertStatus(await one.send('POST', '/payment-requests', body), 201);
  assert.equal((await sentTo(payer.phone)).length, 1);
});

test('a payee who asks and cancels again and again reaches the payer three times a day', async () => {
  for (let n = 0; n < 6; n++) {
    const { id } = await one.asked({ payer_phone: payer.phone });
    assertStatus(await one.send('POST', `/payment-requests/${id}/cancel`), 200);
  }
  assert.equal((await sentTo(payer.phone)).length, 3);
  kissi.clock.advance(DAY_MS);
  await one.asked({ payer_phone: payer.phone });
  assert.equal((await sentTo(payer.phone)).length, 4);
});

test('all payees together reach a payer ten times a day without an answer', async () => {
  for (let n = 0; n < 12; n++) {
    const shop = await newShop();
    const { id } = await shop.asked({ payer_phone: payer.phone });
    assertStatus(await shop.send('POST', `/payment-requests/${id}/cancel`), 200);
  }
  assert.equal((await sentTo(payer.phone)).length, 10);
});

describe('unanswered notices', () => {
  test('are at most one per payee and payer, until it is answered, expires or is cancelled', async () => {
    const first = await one.asked({ payer_phone: payer.phone });
    await one.asked({ payer_phone: payer.phone });
    assert.equal((await sentTo(payer.phone)).length, 1);
    assertStatus(await one.send('POST', `/payment-requests/${first.id}/cancel`), 200);
    const next = await one.asked({ payer_phone: payer.phone, expires_in: 60 });
    assert.equal((await sentTo(payer.phone)).length, 2);
    kissi.clock.set(Date.parse(next.expires_at));
    const last = await one.asked({ payer_phone: payer.phone });
    assert.equal((await sentTo(payer.phone)).length, 3);
    assertStatus(await confirm(kissi, last.id, payer.id), 200);
    await one.asked({ payer_phone: payer.phone });
    assert.equal((await sentTo(payer.phone)).length, 4);
  });

  test('are at most three per payer, even if they are asked for at once', async () => {
    const shops = [one, two, three, four];
    const asked = await Promise.all(shops.map((shop) => shop.asked({ payer_phone: payer.phone })));
    assert.equal((await sentTo(payer.phone)).length, 3);
    const answered = asked.find(({ code }) => code !== undefined);
    assertStatus(await confirm(kissi, answered.id, payer.id), 200);
    await (await newShop()).asked({ payer_phone: payer.phone });
    assert.ok((await sentTo(payer.phone)).length >= 3);
  });

  test('of a link are answered by a decline, which leaves it open', async () => {
    const link = await one.asked({ payer_phone: payer.phone, single_use: false });
    await one.asked({ payer_phone: payer.phone });
    assert.equal((await sentTo(payer.phone)).length, 1);
    assertStatus(await decline(kissi, link.id, payer.id), 200);
    await one.asked({ payer_phone: payer.phone });
    assert.equal((await sentTo(payer.phone)).length, 2);
  });
});

test('after two declines the payee is muted for that payer, and for nobody else', async () => {
  for (let n = 0; n < 2; n++) {
    const { id } = await one.asked({ payer_phone: payer.phone });
    assertStatus(await decline(kissi, id, payer.id), 200);
  }
  await one.asked({ payer_phone: payer.phone });
  assert.equal((await sentTo(payer.phone)).length, 2);
  await two.asked({ payer_phone: payer.phone });
  assert.equal((await sentTo(payer.phone)).length, 3);
  const other = await bank.wallet();
  await one.asked({ payer_phone: other.phone });
  assert.equal((await sentTo(other.phone)).length, 1);
});

test('a payer who blocks a payee gets no notice until it is unblocked, and can still pay', async () => {
  const { ofCustomers } = paymentRequests;
  const customer = { caller: ussdCaller(payer.id, null), ip: '192.0.2.1', requestId: 'req_test' };
  const first = await one.asked();
  assert.equal(await ofCustomers.block(customer, first.id), null);
  assert.equal(await ofCustomers.block(customer, first.id), null);
  assert.equal((await ofCustomers.blocked(customer))[0]?.payment_request_id, first.id);
  const { id } = await one.asked({ payer_phone: payer.phone });
  assert.deepEqual(await sentTo(payer.phone), []);
  assertStatus(await confirm(kissi, id, payer.id), 200);
  assert.equal(await ofCustomers.unblock(customer, first.id), null);
  await one.asked({ payer_phone: payer.phone });
  assert.equal((await sentTo(payer.phone)).length, 1);
});

describe('the page', () => {
  const notify = (request: string, phone: string, visitor = '192.0.2.1') =>
    paymentRequests.notifyPayer({ request, phone, visitor });
  let numbers = 0;
  const unknown = () => `+23297${String(++numbers).padStart(6, '0')}`;
  const isLimited = (outcome: Refusal | null) => outcome instanceof Refusal && outcome.code === 'RATE_LIMITED';

  test('of a request for one payment sends to at most two numbers, registered or not', async () => {
    const { id } = await one.asked();
    assert.equal(await notify(id, unknown()), null);
    assert.equal(await notify(id, payer.phone, '192.0.2.2'), null);
    assert.ok(isLimited(await notify(id, (await bank.wallet()).phone, '192.0.2.3')));
    assert.equal(await notify(id, payer.phone, '192.0.2.4'), null);
    assert.equal((await sentTo(payer.phone)).length, 1);
  });

  test('of a request for one payment asked by many at once sends to two', async () => {
    const { id } = await one.asked();
    const wallets = await Promise.all(Array.from({ length: 5 }, () => bank.wallet()));
    const outcomes = await Promise.all(wallets.map(({ phone }, n) => notify(id, phone, `192.0.2.${n}`)));
    assert.equal(outcomes.filter(isLimited).length, 3);
  });

  test('of a link sends twice an hour for a visitor, and sixty times for all', async () => {
    const { id } = await one.asked({ single_use: false, expires_in: 86_400 });
    for (const expected of [false, false, true]) assert.equal(isLimited(await notify(id, unknown())), expected);
    kissi.clock.advance(HOUR_MS);
    assert.equal(isLimited(await notify(id, unknown())), false);
    for (let n = 1; n < 60; n++) assert.equal(await notify(id, unknown(), `198.51.100.${n}`), null);
    assert.ok(isLimited(await notify(id, unknown(), '203.0.113.1')));
    kissi.clock.advance(HOUR_MS);
    assert.equal(await notify(id, unknown(), '203.0.113.1'), null);
    const { rows } = await kissi.db.query('select 1 from payment_request_notices where request_id = $1 and sent', [id]);
    assert.equal(rows.length, 0);
  });

  test('counts an IPv6 network as one visitor, and deletes notices of ended requests after 90 days', async () => {
    const { id } = await one.asked({ single_use: false, expires_in: 86_400 });
    for (const [n, expected] of [false, false, true].entries()) {
      assert.equal(isLimited(await notify(id, unknown(), `2001:db8:1::${n}`)), expected);
    }
    const count = async () =>
      (await kissi.db.query('select 1 from payment_request_notices where request_id = $1', [id])).rows.length;
    await paymentRequests.prune();
    assert.equal(await count(), 2);
    kissi.clock.advance(92 * 24 * HOUR_MS);
    await paymentRequests.prune();
    assert.equal(await count(), 0);
  });

  test('refuses what is no number, and requests that have ended', async () => {
    const { id } = await one.asked();
    const wrong = await notify(id, 'abc');
    assert.ok(wrong instanceof Refusal && wrong.code === 'INVALID_REQUEST');
    assertStatus(await one.send('POST', `/payment-requests/${id}/cancel`), 200);
    const late = await notify(id, payer.phone);
    assert.ok(late instanceof Refusal && late.code === 'CANCELLED');
  });
});
