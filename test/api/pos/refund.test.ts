// Tests refunds of card payments: full, partial and remaining amounts, never more than was paid, even concurrently.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertClean } from '../../ledger/books.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { createBank, MAX_BALANCE, type Wallet } from '../../support/money.ts';
import { assertRefused } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
const admin = await kissi.adminToken();
const merchantTerminal = await terminalOf(kissi);
// Gives the processor a balance to refund from.
await payFrom(await bank.wallet(200_000), 200_000);
after(async () => {
  // The verification includes that the refunded total of each payment is the sum of its refunds.
  await assertClean(kissi.db.url);
  await kissi.close();
});

const asAdmin = (path: string, body: object = {}) => kissi.call('POST', `/api/v1${path}`, { body, token: admin });

async function payFrom(wallet: Wallet, amount: number, terminal = merchantTerminal): Promise<string> {
  return assertStatus(await terminal.pay(await bank.card(wallet), { amount }), 200).json.transaction_id;
}

/** A payment that spends the whole balance of a new wallet. */
async function payment(amount = 10_000, terminal = merchantTerminal): Promise<{ wallet: Wallet; id: string }> {
  const wallet = await bank.wallet(amount);
  return { wallet, id: await payFrom(wallet, amount, terminal) };
}

const summary = ({ json }: CallReply) => [json.amount, json.refunded_total, json.remaining, json.status];

describe('a refund', () => {
  test('of the whole payment moves it from the processor to the wallet; the fee is not returned', async () => {
    const { wallet, id } = await payment();
    const merchant = await bank.balance(merchantTerminal.merchant.id);
    const reply = assertStatus(await merchantTerminal.refund(id, { reason: ' Wrong size ' }), 200);
    const { transaction_id, ...rest } = reply.json;
    assert.deepEqual(rest, {
      success: true,
      original_transaction_id: id,
      amount: 10_000,
      refunded_total: 10_000,
      remaining: 0,
      status: 'REFUNDED',
    });
    assert.equal(await bank.balance(wallet.id), 10_000);
    assert.equal(await bank.balance(merchantTerminal.merchant.id), merchant - 10_000);
    const { rows } = await kissi.db.query('select * from movements where id = $1', [transaction_id]);
    const [{ type, fee, related_id, narration, details }] = rows;
    assert.deepEqual([type, fee, related_id, narration], ['pos_refund', 0, id, 'Wrong size']);
    assert.equal(details.merchant_id, merchantTerminal.merchant.merchantId);
    const [entry] = (await bank.get(`/transactions?subscriber_id=${wallet.id}&limit=1`)).json.transactions;
    assert.deepEqual(
      [entry.type, entry.direction, entry.amount, entry.narration],
      ['pos_refund', 'credit', 10_000, 'Wrong size'],
    );
  });

  test('can be partial, as a number or digits, until nothing remains', async () => {
    const { wallet, id } = await payment();
    assert.deepEqual(summary(await merchantTerminal.refund(id, { amount: 1 })), [1, 1, 9_999, 'PARTIALLY_REFUNDED']);
    assert.deepEqual(summary(await merchantTerminal.refund(id, { amount: '4000' })), [
      4_000,
      4_001,
      5_999,
      'PARTIALLY_REFUNDED',
    ]);
    const over = assertRefused(await merchantTerminal.refund(id, { amount: 6_000 }), 422, 'REFUND_EXCEEDS_PAYMENT');
    assert.equal(over.json.remaining, 5_999);
    assert.deepEqual(summary(await merchantTerminal.refund(id)), [5_999, 10_000, 0, 'REFUNDED']);
    for (const extra of [{}, { amount: 1 }, { amount: 10_000 }]) {
      const refused = assertRefused(await merchantTerminal.refund(id, extra), 422, 'REFUND_EXCEEDS_PAYMENT');
      assert.equal(refused.json.remaining, 0);
    }
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('of an in-app payment works on both refund routes', async () => {
    const wallet = await bank.wallet(10_000);
    const { json } = await merchantTerminal.payInApp(await bank.card(wallet), { amount: 10_000 });
    const body = { request_id: 'either', transaction_id: json.transaction_id, amount: 1_000 };
    assert.equal((await merchantTerminal.send('/payment/refund', body)).status, 200);
    assert.deepEqual(summary(await merchantTerminal.refund(json.transaction_id)), [9_000, 10_000, 0, 'REFUNDED']);
  });

  test('may exceed the maximum balance of the wallet', async () => {
    const { wallet, id } = await payment();
    await bank.fund(wallet, MAX_BALANCE);
    assert.equal((await merchantTerminal.refund(id)).status, 200);
    assert.equal(await bank.balance(wallet.id), MAX_BALANCE + 10_000);
  });

  test('is possible after the card is blocked and card payments are disabled', async () => {
    const wallet = await bank.wallet(20_000);
    const card = await bank.card(wallet);
    const { transaction_id } = (await merchantTerminal.pay(card)).json;
    await bank.post(`/cards/${card}/block`, { reason: 'Lost' });
    await asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'Asked', transaction_types: ['pos_payment'] });
    assert.equal((await merchantTerminal.refund(transaction_id)).status, 200);
  });
});

describe('refusals of a refund', () => {
  test('an invalid body is rejected with 400, message the field', async () => {
    const { id } = await payment();
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ request_id: undefined }, /request_id is required/],
      [{ transaction_id: undefined }, /transaction_id is required/],
      [{ transaction_id: 7 }, /transaction_id/],
      [{ amount: [] }, /amount/],
      [{ reason: 7 }, /reason/],
      [{ reason: 'x'.repeat(501) }, /reason/],
    ];
    for (const [change, message] of cases) {
      const reply = await merchantTerminal.refund(id, change);
      assertRefused(reply, 400, 'INVALID_REQUEST', JSON.stringify(change));
      assert.match(reply.json.error, message);
    }
    for (const amount of [0, -1, 1.5, '1e2', 2 ** 53]) {
      assertRefused(await merchantTerminal.refund(id, { amount }), 400, 'INVALID_AMOUNT', String(amount));
    }
    const raw = `{"request_id":"x-1","transaction_id":"${id}","amount":1.0}`;
    assertRefused(await merchantTerminal.send('/pos/refund', {}, { raw }), 400, 'INVALID_AMOUNT');
  });

  test('an unknown transaction returns 404; refunds and other types are not refundable', async () => {
    const { wallet, id } = await payment();
    assertRefused(await merchantTerminal.refund('txn_00000000000000000000000000'), 404, 'NOT_FOUND');
    assertRefused(await merchantTerminal.refund('nonsense'), 404, 'NOT_FOUND');
    const { transaction_id } = (await merchantTerminal.refund(id, { amount: 1 })).json;
    assertRefused(await merchantTerminal.refund(transaction_id), 422, 'NOT_REFUNDABLE');
    const [funding] = (await bank.get(`/transactions?subscriber_id=${wallet.id}&type=vult_fund`)).json.transactions;
    assertRefused(await merchantTerminal.refund(funding.transaction_id), 422, 'NOT_REFUNDABLE');
  });

  test('a suspended processor cannot refund, and a blocked subscriber cannot be refunded', async () => {
    const own = await terminalOf(kissi);
    const { wallet, id } = await payment(10_000, own);
    await payment(10_000, own);
    await asAdmin(`/processors/${own.merchant.id}/suspend`, { reason: 'Chargebacks' });
    assertRefused(await own.refund(id), 403, 'PROCESSOR_SUSPENDED');
    await asAdmin(`/processors/${own.merchant.id}/reactivate`);
    await asAdmin(`/subscribers/${wallet.id}/block`, { reason: 'Fraud' });
    assertRefused(await own.refund(id), 403, 'SUBSCRIBER_BLOCKED');
    await asAdmin(`/subscribers/${wallet.id}/unblock`);
    assert.equal((await own.refund(id)).status, 200);
  });

  test("a refund above the processor's balance returns 402; a smaller one succeeds", async () => {
    const own = await terminalOf(kissi);
    const { wallet, id } = await payment(10_000, own);
    assertRefused(await own.refund(id), 402, 'INSUFFICIENT_BALANCE', 'the fee is missing');
    assert.deepEqual(summary(await own.refund(id, { amount: 9_900 })), [9_900, 9_900, 100, 'PARTIALLY_REFUNDED']);
    assertRefused(await own.refund(id), 402, 'INSUFFICIENT_BALANCE');
    assertRefused(
      await own.refund(id, { amount: 101 }),
      422,
      'REFUND_EXCEEDS_PAYMENT',
      'limits have precedence over the balance',
    );
    assert.equal(await bank.balance(wallet.id), 9_900);
    assert.equal(await bank.balance(own.merchant.id), 0);
  });
});

describe('concurrent refunds', () => {
  const twenty = (send: (n: number) => Promise<CallReply>) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));

  test('of parts do not exceed the payment', async () => {
    const { wallet, id } = await payment();
    const replies = await twenty(() => merchantTerminal.refund(id, { amount: 900 }));
    assert.equal(replies.filter(({ status }) => status === 200).length, 11);
    for (const reply of replies) if (reply.status !== 200) assertRefused(reply, 422, 'REFUND_EXCEEDS_PAYMENT');
    assert.equal(await bank.balance(wallet.id), 9_900);
    const totals = replies.filter(({ status }) => status === 200).map(({ json }) => json.refunded_total);
    assert.deepEqual(
      totals.toSorted((a, b) => a - b),
      Array.from({ length: 11 }, (_, n) => 900 * (n + 1)),
    );
  });

  test('of the remaining amount: exactly one succeeds', async () => {
    const { wallet, id } = await payment();
    await merchantTerminal.refund(id, { amount: 2_500 });
    const replies = await twenty(() => merchantTerminal.refund(id));
    const [won, ...others] = replies.filter(({ status }) => status === 200);
    assert.ok(won && others.length === 0);
    assert.deepEqual(summary(won), [7_500, 10_000, 0, 'REFUNDED']);
    for (const reply of replies) if (reply !== won) assertRefused(reply, 422, 'REFUND_EXCEEDS_PAYMENT');
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('with one request id execute once, and all get the same reply', async () => {
    const { wallet, id } = await payment();
    await merchantTerminal.refund(id, { amount: 2_500 });
    const replies = await twenty(() => merchantTerminal.refund(id, { request_id: `twenty-${id}` }));
    assert.deepEqual(
      new Set(replies.map(({ status, text }) => `${status} ${text}`)).size,
      1,
      String(replies.at(-1)?.text),
    );
    assert.equal(replies[0]?.status, 200);
    assert.equal(await bank.balance(wallet.id), 10_000);
  });

  test('of the remaining amount and of parts sum exactly to the payment', async () => {
    for (let round = 0; round < 5; round++) {
      const { wallet, id } = await payment();
      const replies = await twenty((n) => merchantTerminal.refund(id, n === 10 ? {} : { amount: 300 + n }));
      const [all] = replies.filter(({ status, json }) => status === 200 && json.remaining === 0);
      assert.ok(all, 'the remaining amount was refunded');
      const sum = replies.reduce((total, { status, json }) => total + (status === 200 ? json.amount : 0), 0);
      assert.deepEqual([sum, await bank.balance(wallet.id)], [10_000, 10_000]);
    }
  });

  test('through two gateways on one database do not exceed the payment', async () => {
    const second = await testGateway({ db: kissi.db, clock: kissi.clock });
    try {
      const { wallet, id } = await payment();
      const secondTerminal = await terminalOf(second, { merchant: merchantTerminal.merchant });
      const replies = await twenty((n) => (n % 2 ? merchantTerminal : secondTerminal).refund(id, { amount: 700 }));
      assert.equal(replies.filter(({ status }) => status === 200).length, 14);
      assert.equal(await bank.balance(wallet.id), 9_800);
    } finally {
      await second.close();
    }
  });
});
