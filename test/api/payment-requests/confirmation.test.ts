// Tests paying and declining requests: what moves, in which order it is refused, exact expiry, refunds, and races on two gateways.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { assertClean } from '../../ledger/books.ts';
import { testClock } from '../../support/clock.ts';
import { assertStatus, type CallReply, type Json, testGateway } from '../../support/gateway.ts';
import { createBank, DAILY_LIMIT, MAX_BALANCE, PIN, WRONG_PIN } from '../../support/money.ts';
import { confirm, decline, LAB, newId, shopOf } from '../../support/payment-requests.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { auditLogs, staffToken } from '../../support/staff.ts';

const kissi = await testGateway({ env: LAB });
const bank = await createBank(kissi);
const second = await testGateway({ db: kissi.db, clock: kissi.clock, env: LAB });
after(async () => {
  await second.close();
  await assertClean(kissi.db.url);
  await kissi.close();
});
const shop = await shopOf(kissi);
const balance = bank.balance;

async function personal(payee: string, extra: Record<string, unknown> = {}): Promise<CallReply> {
  const body = { subscriber_id: payee, amount: 10_000, description: 'Lunch', request_id: newId(), ...extra };
  return kissi.asAdmin.post('/admin/lab/payment-requests', body);
}

async function movement(id: string): Promise<Json> {
  const { rows } = await kissi.db.query(
    'select type, reference, narration, metadata, details, from_account, to_account from movements where id = $1',
    [id],
  );
  return rows[0];
}

describe('paying a merchant', () => {
  test('is priced like an in-app payment and carries reference, metadata and the request', async () => {
    const metadata = { order: 7 };
    const asked = await shop.asked({
      amount: 40_000,
      reference: 'INV-40',
      metadata,
      description: 'Not for statements',
    });
    const wallet = await bank.wallet(100_000);
    const before = await balance(shop.merchant.id);
    const paid = assertStatus(await confirm(kissi, asked.id, wallet.id), 200).json;
    assert.deepEqual(
      [paid.status, paid.amount, paid.balance, paid.payment_request_id],
      ['COMPLETED', 40_000, 60_000, asked.id],
    );
    const inApp = await movement(paid.transaction_id);
    assert.deepEqual(
      [inApp.type, inApp.reference, inApp.metadata, inApp.narration],
      ['pos_payment', 'INV-40', metadata, 'Lumley Beach Grill'],
    );
    assert.deepEqual(
      [inApp.details.channel, inApp.details.merchant_id, inApp.details.payment_request_id],
      ['in_app', shop.merchant.merchantId, asked.id],
    );
    const { rows } = await kissi.db.query('select fee from movements where id = $1', [paid.transaction_id]);
    assert.equal(await balance(shop.merchant.id), before + 40_000 - rows[0].fee);
    const { status, payment_count, transaction_ids, ended_at, failure } = await shop.read(asked.id);
    assert.deepEqual(
      { status, payment_count, transaction_ids, ended_at, failure },
      {
        status: 'paid',
        payment_count: 1,
        transaction_ids: [paid.transaction_id],
        ended_at: paid.created_at,
        failure: null,
      },
    );
    assertRefused(await confirm(kissi, asked.id, wallet.id), 409, 'ALREADY_PAID');
    const [entry] = await auditLogs(kissi, { resource_id: paid.transaction_id, action: 'payment_request.confirm' });
    assert.equal(entry.details.amount, 40_000);
  });

  test('is refunded through the route for card payments, in parts', async () => {
    const asked = await shop.asked({ amount: 9_000 });
    const wallet = await bank.wallet(20_000);
    const { transaction_id } = assertStatus(await confirm(kissi, asked.id, wallet.id), 200).json;
    const refund = (extra: object) =>
      shop.send('POST', '/pos/refund', { request_id: newId(), transaction_id, ...extra });
    assertStatus(await refund({ amount: 4_000 }), 200);
    assert.equal(assertStatus(await refund({}), 200).json.status, 'REFUNDED');
    assertRefused(await refund({ amount: 1 }), 422, 'REFUND_EXCEEDS_PAYMENT');
    assert.equal(await balance(wallet.id), 20_000);
    assertRefused(await confirm(kissi, asked.id, wallet.id), 409, 'ALREADY_PAID');
  });

  test('repeated with the same request id gets the same reply, also for another amount text', async () => {
    const asked = await shop.asked();
    const wallet = await bank.wallet(50_000);
    const request = { request_id: newId(), amount: 10_000 };
    const first = assertStatus(await confirm(kissi, asked.id, wallet.id, request), 200);
    const again = await confirm(kissi, asked.id, wallet.id, { ...request, amount: '10000' });
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const other = await shop.asked();
    assertRefused(await confirm(kissi, other.id, wallet.id, request), 409, 'REQUEST_CONFLICT');
    assert.equal(await balance(wallet.id), 40_000);
  });

  test('takes the amount of the payer if the request leaves it open', async () => {
    const asked = await shop.asked({ amount: null });
    const wallet = await bank.wallet(50_000);
    for (const amount of [undefined, 0, -1, '1.5', '1e3']) {
      assertRefused(await confirm(kissi, asked.id, wallet.id, { amount }), 400, 'INVALID_AMOUNT');
    }
    assert.equal(assertStatus(await confirm(kissi, asked.id, wallet.id, { amount: '700' }), 200).json.amount, 700);
  });

  test('by many counts the payments of a link, which stays open until it is cancelled', async () => {
    const link = await shop.asked({ single_use: false, amount: 500, expires_in: 31_536_000 });
    const [one, two] = [await bank.wallet(5_000), await bank.wallet(5_000)];
    for (const payer of [one, two, one]) assertStatus(await confirm(kissi, link.id, payer.id), 200);
    const open = await shop.read(link.id);
    assert.deepEqual([open.status, open.payment_count, open.transaction_ids.length], ['open', 3, 3]);
    assertStatus(await shop.send('POST', `/payment-requests/${link.id}/cancel`), 200);
    assertRefused(await confirm(kissi, link.id, one.id), 409, 'CANCELLED');
    const short = await shop.asked({ single_use: false, expires_in: 60 });
    assertStatus(await confirm(kissi, short.id, (await bank.wallet(10_000)).id), 200);
    kissi.clock.advance(60_000);
    const over = await shop.read(short.id);
    assert.deepEqual([over.status, over.failure, over.payment_count], ['expired', null, 1]);
    assert.equal((await shop.read(link.id)).payment_count, 3);
  });
});

describe('paying a person', () => {
  test('is priced, limited and shown as a transfer', async () => {
    const [payee, payer] = [await bank.wallet(), await bank.wallet(100_000)];
    const { payment_request: asked } = assertStatus(await personal(payee.id), 201).json;
    assert.deepEqual([asked.payee_name, asked.subscriber_id, asked.processor_id], ['Aminata K.', payee.id, null]);
    const paid = assertStatus(await confirm(kissi, asked.id, payer.id), 200).json;
    const moved = await movement(paid.transaction_id);
    assert.deepEqual([moved.type, moved.narration, moved.from_account], ['transfer_p2p', 'Lunch', payer.id]);
    const transfer = { sender_id: payer.id, recipient_id: payee.id, amount: 10_000, pin: PIN };
    const same = assertStatus(await bank.post('/wallet/transfer', transfer), 200).json;
    assert.equal(paid.fee, same.fee);
    assertRefused(await confirm(kissi, asked.id, payer.id), 409, 'ALREADY_PAID');
    const refund = { request_id: newId(), transaction_id: paid.transaction_id };
    assert.notEqual((await shop.send('POST', '/pos/refund', refund)).status, 200);
  });

  test('is refused by the ceiling of the payee, and for the own request', async () => {
    const [payee, payer] = [await bank.wallet(MAX_BALANCE - 5_000), await bank.wallet(100_000)];
    const { id } = assertStatus(await personal(payee.id), 201).json.payment_request;
    assertRefused(await confirm(kissi, id, payer.id), 422, 'MAX_BALANCE_EXCEEDED');
    assertRefused(await confirm(kissi, id, payee.id), 400, 'SAME_ACCOUNT');
  });

  test('a customer makes ten requests a day', async () => {
    const payee = await bank.wallet();
    const untilMidnight = DAY_MS - (kissi.clock.now() % DAY_MS);
    const replies = await Promise.all(Array.from({ length: 12 }, () => personal(payee.id)));
    const refused = replies.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 2);
    for (const reply of refused) {
      assertRefused(reply, 429, 'RATE_LIMITED');
      assert.equal(Number(reply.headers.get('retry-after')), untilMidnight / 1_000);
    }
    kissi.clock.advance(untilMidnight);
    assertStatus(await personal(payee.id), 201);
    assertRefused(await personal('sub_0'), 404, 'SUBSCRIBER_NOT_FOUND');
  });
});

describe('refusals', () => {
  const cases: [string, number, string, (wallet: string, id: string) => Promise<CallReply>][] = [
    ['another amount', 422, 'AMOUNT_MISMATCH', (wallet, id) => confirm(kissi, id, wallet, { amount: 9_999 })],
    ['an amount that is none', 400, 'INVALID_AMOUNT', (wallet, id) => confirm(kissi, id, wallet, { amount: 'x' })],
    ['a wrong PIN', 401, 'INVALID_PIN', (wallet, id) => confirm(kissi, id, wallet, { pin: WRONG_PIN })],
    ['a PIN of five digits', 400, 'INVALID_PIN', (wallet, id) => confirm(kissi, id, wallet, { pin: '12345' })],
    ['an unknown request', 404, 'NOT_FOUND', (wallet) => confirm(kissi, 'prq_0', wallet)],
    ['an unknown payer', 404, 'SUBSCRIBER_NOT_FOUND', (_, id) => confirm(kissi, id, 'sub_0')],
  ];
  for (const [what, status, code, send] of cases) {
    test(`${what}: ${status} ${code}, nothing moves and the payee learns nothing`, async () => {
      const [wallet, { id }] = [await bank.wallet(50_000), await shop.asked()];
      const reply = await send(wallet.id, id);
      assertRefused(reply, status, code);
      assert.equal(await balance(wallet.id), 50_000);
      const { status: state, failure, payment_count: payments } = await shop.read(id);
      assert.deepEqual([state, failure, payments], ['open', null, 0]);
    });
  }

  test('the right amount is told with another one', async () => {
    const { id } = await shop.asked();
    const reply = await confirm(kissi, id, (await bank.wallet(50_000)).id, { amount: 9_999 });
    assert.equal(reply.json.required, 10_000);
  });

  test('for lack of money: the exact reason is for the payer and staff, the merchant learns FAILED', async () => {
    const { id } = await shop.asked();
    const wallet = await bank.wallet(5_000);
    assertRefused(await confirm(kissi, id, wallet.id), 402, 'INSUFFICIENT_BALANCE');
    assertRefused(await confirm(kissi, id, wallet.id), 402, 'INSUFFICIENT_BALANCE');
    const seen = await shop.read(id);
    assert.deepEqual([seen.status, seen.failure, 'refusals' in seen], ['open', 'FAILED', false]);
    const token = await staffToken(kissi, 'support_user');
    const { json } = await kissi.call('GET', `/api/v1/payment-requests/${id}`, { token });
    const at = new Date(kissi.clock.now()).toISOString();
    assert.deepEqual(json.payment_request.refusals, [
      { payer_id: wallet.id, code: 'INSUFFICIENT_BALANCE', count: 2, at },
    ]);
    await bank.fund(wallet, 50_000);
    assertStatus(await confirm(kissi, id, wallet.id), 200);
    assert.equal((await shop.read(id)).failure, null);
  });

  test('by limit, block and suspension are those of a payment', async () => {
    const own = await shopOf(kissi, await newMerchant(kissi));
    const { id } = await own.asked({ amount: DAILY_LIMIT + 1 });
    const rich = await bank.wallet(DAILY_LIMIT * 2);
    assertRefused(await confirm(kissi, id, rich.id), 422, 'DAILY_LIMIT_EXCEEDED');
    assertStatus(await kissi.asAdmin.post(`/subscribers/${rich.id}/block`, { reason: 'Fraud' }), 200);
    assertRefused(await confirm(kissi, id, rich.id), 403, 'SUBSCRIBER_BLOCKED');
    const wallet = await bank.wallet(50_000);
    const small = await own.asked();
    assertStatus(await kissi.asAdmin.post(`/processors/${own.merchant.id}/suspend`, { reason: 'Fraud' }), 200);
    assertRefused(await confirm(kissi, small.id, wallet.id), 403, 'PROCESSOR_SUSPENDED');
  });

  test('before the PIN was right are no attempt of the payer, so that the merchant learns nothing', async () => {
    const [blocked, { id }] = [await bank.wallet(50_000), await shop.asked()];
    assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, { reason: 'Fraud' }), 200);
    for (const pin of [WRONG_PIN, PIN]) {
      assertRefused(await confirm(kissi, id, blocked.id, { pin }), 403, 'SUBSCRIBER_BLOCKED');
    }
    assert.equal((await shop.read(id)).failure, null);
    const poor = await bank.wallet(5_000);
    assertRefused(await confirm(kissi, id, poor.id, { pin: WRONG_PIN }), 401, 'INVALID_PIN');
    assert.equal((await shop.read(id)).failure, null);
    assertRefused(await confirm(kissi, id, poor.id), 402, 'INSUFFICIENT_BALANCE');
    assert.equal((await shop.read(id)).failure, 'FAILED');
  });

  test('of a compliance rule have an alert', async () => {
    const rule = {
      ...{ name: 'Large in-app payments', kind: 'amount', transaction_types: ['pos_payment'], threshold: 77_000 },
      ...{ outcome: 'block', severity: 'HIGH', side: 'payer' },
    };
    const made = assertStatus(await kissi.asAdmin.post('/compliance/rules', rule), 201).json.rule;
    const { id } = await shop.asked({ amount: 80_000 });
    const reply = await confirm(kissi, id, (await bank.wallet(200_000)).id);
    assertRefused(reply, 422, 'COMPLIANCE_BLOCKED');
    assert.match(reply.json.alert_id, /^alert_/);
    assertStatus(await kissi.asAdmin.put(`/compliance/rules/${made.id}`, { ...rule, enabled: false }), 200);
  });
});

describe('a decline', () => {
  test('of the payer who was asked ends the request, and the merchant learns DECLINED', async () => {
    const wallet = await bank.wallet(50_000);
    const { id } = await shop.asked({ payer_phone: wallet.phone });
    assertStatus(await decline(kissi, id, wallet.id), 200);
    assertStatus(await decline(kissi, id, wallet.id), 200);
    const { status, failure } = await shop.read(id);
    assert.deepEqual([status, failure], ['declined', 'DECLINED']);
    assertRefused(await confirm(kissi, id, wallet.id), 409, 'DECLINED');
    assertRefused(await shop.send('POST', `/payment-requests/${id}/cancel`), 409, 'DECLINED');
    const another = await bank.wallet(50_000);
    assertRefused(await decline(kissi, id, another.id), 409, 'DECLINED');
  });

  test('of anybody else leaves it to others', async () => {
    const [first, next] = [await bank.wallet(50_000), await bank.wallet(50_000)];
    const [single, link] = [await shop.asked(), await shop.asked({ single_use: false, payer_phone: first.phone })];
    for (const { id } of [single, link]) {
      assertStatus(await decline(kissi, id, first.id), 200);
      assert.equal((await shop.read(id)).status, 'open');
      assertStatus(await confirm(kissi, id, next.id), 200);
    }
    assertRefused(await decline(kissi, single.id, first.id), 409, 'ALREADY_PAID');
    assertRefused(await decline(kissi, 'prq_0', first.id), 404, 'NOT_FOUND');
    assertRefused(await decline(kissi, link.id, 'sub_0'), 404, 'SUBSCRIBER_NOT_FOUND');
  });
});

describe('the expiry', () => {
  test('is exact: a millisecond before it a payment succeeds, at the instant it is refused', async () => {
    const [early, late] = [await shop.asked({ expires_in: 60 }), await shop.asked({ expires_in: 60 })];
    const wallet = await bank.wallet(50_000);
    kissi.clock.set(Date.parse(late.expires_at) - 1);
    assertStatus(await confirm(kissi, early.id, wallet.id), 200);
    kissi.clock.advance(1);
    assertRefused(await confirm(kissi, late.id, wallet.id), 409, 'EXPIRED');
    assert.deepEqual([(await shop.read(late.id)).status, (await shop.read(late.id)).failure], ['expired', 'EXPIRED']);
    const { paymentRequests } = kissi.gateway.services;
    await Promise.all([paymentRequests.expireDue(), second.gateway.services.paymentRequests.expireDue()]);
    assert.equal((await shop.read(late.id)).ended_at, late.expires_at);
    assertRefused(await confirm(kissi, late.id, wallet.id), 409, 'EXPIRED');
    assertRefused(await decline(kissi, late.id, wallet.id), 409, 'EXPIRED');
    assert.equal((await shop.read(early.id)).status, 'paid');
  });
});

describe('races', () => {
  const codesOf = (replies: readonly CallReply[]) =>
    replies.map(({ status, json }) => (status === 200 ? 'won' : json.code));

  test('of several payers on two gateways make one payment', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await shop.asked();
      const wallets = await Promise.all(Array.from({ length: 6 }, () => bank.wallet(10_000)));
      const replies = await Promise.all(wallets.map(({ id: payer }, n) => confirm(n % 2 ? second : kissi, id, payer)));
      const codes = codesOf(replies);
      assert.deepEqual([...codes].sort(), [...Array(5).fill('ALREADY_PAID'), 'won']);
      const left = await Promise.all(wallets.map(({ id: payer }) => balance(payer)));
      assert.deepEqual(
        left.map((each) => each === 0),
        codes.map((code) => code === 'won'),
      );
    }
  });

  test('of one payer who confirms twice at once with the same request id answer both alike', async () => {
    for (let round = 0; round < 4; round++) {
      const [{ id }, wallet, request_id] = [await shop.asked(), await bank.wallet(30_000), newId()];
      const replies = await Promise.all([kissi, second, kissi].map((on) => confirm(on, id, wallet.id, { request_id })));
      for (const reply of replies) assert.equal(assertStatus(reply, 200).text, replies[0]?.text);
      assert.equal(await balance(wallet.id), 20_000);
    }
  });

  test('of paying, declining and cancelling have one winner, on every gateway', async () => {
    for (let round = 0; round < 8; round++) {
      const wallet = await bank.wallet(10_000);
      const { id } = await shop.asked({ payer_phone: wallet.phone });
      const [near, far] = round % 2 ? [kissi, second] : [second, kissi];
      const [paid, declined, cancelled] = await Promise.all([
        confirm(near, id, wallet.id),
        decline(far, id, wallet.id),
        far.asAdmin.post(`/payment-requests/${id}/cancel`),
      ]);
      const won = [paid, declined, cancelled].filter(({ status }) => status === 200);
      assert.equal(won.length, 1, [paid, declined, cancelled].map(({ text }) => text).join('\n'));
      const { status, payment_count: payments } = await shop.read(id);
      const expected = won[0] === paid ? 'paid' : won[0] === declined ? 'declined' : 'cancelled';
      assert.deepEqual([status, payments], [expected, won[0] === paid ? 1 : 0]);
      const code = { paid: 'ALREADY_PAID', declined: 'DECLINED', cancelled: 'CANCELLED' }[expected];
      for (const lost of [paid, declined, cancelled].filter(({ status }) => status !== 200)) {
        assert.equal(lost.json.code, code);
      }
      assert.equal(await balance(wallet.id), won[0] === paid ? 0 : 10_000);
    }
  });

  test('with the expiry at the same instant end once', async () => {
    const { paymentRequests } = second.gateway.services;
    for (const early of [1, 0]) {
      const [{ id, expires_at }, wallet] = [await shop.asked({ expires_in: 60 }), await bank.wallet(10_000)];
      kissi.clock.set(Date.parse(expires_at) - early);
      const paying = confirm(kissi, id, wallet.id);
      const due = early === 0 ? paymentRequests.expireDue() : null;
      const [paid] = await Promise.all([paying, due]);
      if (early === 0) assertRefused(paid, 409, 'EXPIRED');
      else assertStatus(paid, 200);
      const { rows } = await kissi.db.query('select outcome from payment_request_ends where request_id = $1', [id]);
      assert.deepEqual(rows, [{ outcome: early === 0 ? 'expired' : 'paid' }]);
    }
  });

  test('with the expiry by a gateway whose clock is ahead end once', async () => {
    const ahead = await testGateway({ db: kissi.db, clock: testClock(kissi.clock.now() + 61_000), env: LAB });
    try {
      for (let round = 0; round < 6; round++) {
        const [{ id }, wallet] = [await shop.asked({ expires_in: 60 }), await bank.wallet(10_000)];
        const [paid] = await Promise.all([
          confirm(kissi, id, wallet.id),
          ahead.gateway.services.paymentRequests.expireDue(),
        ]);
        const { status, payment_count: payments } = await shop.read(id);
        assert.deepEqual([status, payments], paid.status === 200 ? ['paid', 1] : ['expired', 0]);
        if (paid.status !== 200) assertRefused(paid, 409, 'EXPIRED');
        assert.equal(await balance(wallet.id), paid.status === 200 ? 0 : 10_000);
      }
    } finally {
      await ahead.close();
    }
  });

  test('of payments of a link with its cancellation count exactly the payments before it', async () => {
    const link = await shop.asked({ single_use: false, amount: 100 });
    const wallets = await Promise.all(Array.from({ length: 6 }, () => bank.wallet(1_000)));
    const [cancelled, ...replies] = await Promise.all([
      shop.send('POST', `/payment-requests/${link.id}/cancel`),
      ...wallets.map(({ id }, n) => confirm(n % 2 ? second : kissi, link.id, id)),
    ]);
    assertStatus(cancelled, 200);
    const paid = codesOf(replies).filter((code) => code === 'won').length;
    assert.ok(codesOf(replies).every((code) => code === 'won' || code === 'CANCELLED'));
    assert.equal((await shop.read(link.id)).payment_count, paid);
  });
});

test('the service refuses an unknown request as a value', async () => {
  const { paymentRequests } = kissi.gateway.services;
  const outcome = await paymentRequests.notifyPayer({ request: 'prq_0', phone: '+23276000001', visitor: '::1' });
  assert.ok(outcome instanceof Refusal && outcome.code === 'NOT_FOUND');
});
