// Tests card payments at a terminal: amounts, fees, receipts, refusals and their order of precedence.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile, DAILY_LIMIT, PIN, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { newRequestId, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile({ unauditedRecords: ['card'] });
const admin = await kissi.adminToken();
const terminal = await terminalOf(kissi);

const asAdmin = (path: string, body: object = {}, method = 'POST') =>
  kissi.call(method, `/api/v1${path}`, { body, token: admin });
const movement = async (id: string) => (await kissi.db.query('select * from movements where id = $1', [id])).rows[0];
const postings = async (id: string) =>
  (await kissi.db.query('select account_id, amount, fee from postings where movement_id = $1', [id])).rows;

const { customer } = bank;

async function childOf(parent: string, dailyLimit: number): Promise<string> {
  const serial = `${parent}-CHILD-${newRequestId()}`.toUpperCase();
  const body = { parent_serial: parent, card_serial: serial, daily_limit: dailyLimit };
  assertStatus(await bank.post('/cards/child', body), 201);
  return serial;
}

describe('a payment', () => {
  test('debits the wallet, credits the processor less the fee, and is APPROVED', async () => {
    const { wallet, card } = await customer();
    const merchant = await bank.balance(terminal.merchant.id);
    const reply = assertStatus(await terminal.pay(card, { request_id: 'sale-1', amount: 12_345 }), 200);
    const { transaction_id, authorization_code, receipt, ...rest } = reply.json;
    assert.match(transaction_id, /^txn_[0-9A-Z]{26}$/);
    assert.match(authorization_code, /^[0-9A-Z]{6}$/);
    assert.deepEqual(rest, {
      success: true,
      status: 'APPROVED',
      amount: 12_345,
      fee: 123,
      currency: 'SLE',
      merchant_id: terminal.merchant.merchantId,
      processor_id: terminal.merchant.id,
      card_serial: card,
      created_at: new Date(kissi.clock.now()).toISOString(),
    });
    assert.equal(await bank.balance(wallet.id), 100_000 - 12_345);
    assert.equal(await bank.balance(terminal.merchant.id), merchant + 12_345 - 123);
    const { type, fee, narration, metadata, request_id, details } = await movement(transaction_id);
    assert.deepEqual(
      [type, fee, narration, metadata, request_id],
      ['pos_payment', 123, 'Lumley Beach Grill', null, 'sale-1'],
    );
    const { merchantId: merchant_id } = terminal.merchant;
    assert.deepEqual(details, { channel: 'pos', card_serial: card, merchant_id, terminal_id: 'T-0001' });
    const movementPostings = await postings(transaction_id);
    assert.equal(movementPostings.length, 3);
    assert.equal(
      movementPostings.reduce((sum, { amount }) => sum + amount, 0),
      0,
    );
    const lines = receipt.split('\n');
    for (const line of lines) assert.ok(line.length <= 32, line);
    for (const word of [
      'Lumley Beach Grill',
      merchant_id,
      'T-0001',
      '123.45 SLE',
      authorization_code,
      transaction_id,
    ]) {
      assert.ok(receipt.includes(word), `${word} in ${receipt}`);
    }
    assert.ok(!receipt.includes(card) && receipt.includes(card.slice(-4)) && !receipt.includes('1.23 SLE'));
  });

  test("uses the current fee settings; the receipt shows the customer's fee", async () => {
    const { wallet, card } = await customer();
    const merchant = await bank.balance(terminal.merchant.id);
    const setting = { transaction_type: 'pos_payment', credit_enabled: false, debit_enabled: true };
    await asAdmin(
      '/fee-settings',
      { ...setting, party_type: 'processor', fee_type: 'percentage', fee_value: 2.5 },
      'PUT',
    );
    await asAdmin('/fee-settings', { ...setting, party_type: 'sender', fee_type: 'flat', fee_value: 0.5 }, 'PUT');
    const reply = await terminal.pay(card, { amount: '10000' });
    await asAdmin('/fee-settings/pos_payment/processor', {}, 'DELETE');
    await asAdmin('/fee-settings/pos_payment/sender', {}, 'DELETE');
    assert.deepEqual([reply.json.amount, reply.json.fee], [10_000, 250]);
    assert.match(reply.json.receipt, /Fee +0\.50 SLE\nTOTAL +100\.50 SLE/);
    assert.equal(await bank.balance(wallet.id), 100_000 - 10_050);
    assert.equal(await bank.balance(terminal.merchant.id), merchant + 9_750);
    assert.equal((await terminal.pay(card)).json.fee, 100);
  });

  test('accepts serial and merchant id in any case, a currency, and a plain PIN with a test key', async () => {
    const { card } = await customer();
    const encrypted_pin = terminal.encrypt(card.toLowerCase());
    const names = { card_serial: card.toLowerCase(), merchant_id: terminal.merchant.merchantId.toLowerCase() };
    const reply = await terminal.pay(card, { ...names, encrypted_pin, currency: 'SLE' });
    assert.deepEqual([reply.status, reply.json.card_serial], [200, card], reply.text);
    assert.equal(reply.json.merchant_id, terminal.merchant.merchantId);
    assert.equal((await terminal.pay(card, { pin: PIN })).status, 200);
  });

  test('appears in the history of both parties, with its metadata', async () => {
    const { wallet, card } = await customer();
    const { json } = await terminal.pay(card, { metadata: { order: 7 } });
    assert.ok(!('metadata' in json), 'the reply does not repeat the metadata');
    const [paid] = (await bank.get(`/transactions?subscriber_id=${wallet.id}&type=pos_payment`)).json.transactions;
    assert.deepEqual(
      [paid.transaction_id, paid.direction, paid.amount, paid.fee, paid.counterparty, paid.metadata, paid.narration],
      [json.transaction_id, 'debit', 10_000, 0, terminal.merchant.id, { order: 7 }, 'Lumley Beach Grill'],
    );
    const [received] = (await bank.get(`/processors/${terminal.merchant.id}/transactions?limit=1`)).json.transactions;
    assert.deepEqual(
      [
        received.transaction_id,
        received.direction,
        received.amount,
        received.fee,
        received.counterparty,
        received.metadata,
      ],
      [json.transaction_id, 'credit', 10_000, 100, wallet.id, { order: 7 }],
    );
  });
});

describe('refusals of a payment', () => {
  test('an invalid body is rejected with 400, message the field', async () => {
    const { wallet, card } = await customer();
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ request_id: undefined }, /request_id is required/],
      [{ request_id: 'with space' }, /request_id/],
      [{ merchant_id: undefined }, /merchant_id is required/],
      [{ processor_id: undefined }, /processor_id is required/],
      [{ card_serial: undefined }, /card_serial is required/],
      [{ card_serial: 7 }, /card_serial/],
      [{ amount: undefined }, /amount is required/],
      [{ amount: {} }, /amount/],
      [{ terminal_id: undefined }, /terminal_id is required/],
      [{ terminal_id: 'a\nb' }, /terminal_id/],
      [{ terminal_id: 'x'.repeat(65) }, /terminal_id/],
      [{ currency: 'USD' }, /currency/],
      [{ encrypted_pin: undefined }, /encrypted_pin is required/],
      [{ encrypted_pin: 'garbled' }, /encrypted_pin/],
      [{ encrypted_pin: 1234 }, /encrypted_pin/],
      [{ encrypted_pin: terminal.encrypt(card), pin: PIN }, /encrypted_pin and pin/],
      [{ metadata: 'x'.repeat(16_384) }, /metadata must have at most 16384 bytes/],
    ];
    for (const [change, message] of cases) {
      const reply = assertRefused(await terminal.pay(card, change), 400, 'INVALID_REQUEST', JSON.stringify(change));
      assert.match(reply.json.error, message);
    }
    const header = await terminal.send('/pos/payment', terminal.payment(card, { request_id: undefined }), {
      headers: { 'x-request-id': 'r-1' },
    });
    assertRefused(header, 400, 'INVALID_REQUEST', 'request_id is required in the body');
    assert.equal(await bank.balance(wallet.id), 100_000);
  });

  test('amounts must be positive integers or strings of digits below 2^53', async () => {
    const { card } = await customer();
    const amounts = [0, -1, 1.5, '0', '-5', '1e3', '10.0', '', ' 1', '９', 2 ** 53, '9007199254740992', 1e300];
    for (const amount of amounts)
      assertRefused(await terminal.pay(card, { amount }), 400, 'INVALID_AMOUNT', String(amount));
    for (const amount of ['1e3', '100.0']) {
      const raw = JSON.stringify(terminal.payment(card, { amount: 777 })).replace('777', amount);
      assertRefused(await terminal.send('/pos/payment', {}, { raw }), 400, 'INVALID_AMOUNT', amount);
    }
  });

  test('an unknown card or processor is rejected with 404', async () => {
    const { card } = await customer();
    for (const serial of ['CARD-UNKNOWN', '!', 'x'.repeat(100)]) {
      assertRefused(await terminal.pay(card, { card_serial: serial }), 404, 'CARD_NOT_FOUND', serial);
    }
    assertRefused(await terminal.pay(card, { processor_id: 'proc_unknown' }), 404, 'NOT_FOUND');
  });

  test('blocked and unassigned cards, and cards of blocked or pending holders, cannot pay', async () => {
    const blocked = await customer();
    await bank.post(`/cards/${blocked.card}/block`, { reason: 'Lost' });
    assertRefused(await terminal.pay(blocked.card), 403, 'CARD_BLOCKED');
    const stock = 'STOCK-0001';
    await kissi.db.database.queries
      .insertInto('cards')
      .values({ serial: stock, label: null, created_at: new Date() })
      .execute();
    assertRefused(await terminal.pay(stock), 422, 'CARD_NOT_ASSIGNED');
    const pending = await bank.wallet(0, { status: 'PENDING' });
    assertRefused(await terminal.pay(await bank.card(pending)), 403, 'SUBSCRIBER_BLOCKED');
    const blockedHolder = await customer();
    await asAdmin(`/subscribers/${blockedHolder.wallet.id}/block`, { reason: 'Fraud' });
    assertRefused(
      await terminal.pay(blockedHolder.card),
      403,
      'CARD_BLOCKED',
      'a blocked subscriber has blocked cards',
    );
    const limited = await customer();
    await asAdmin(`/subscribers/${limited.wallet.id}/block`, { reason: 'Asked', transaction_types: ['pos_payment'] });
    assertRefused(await terminal.pay(limited.card), 403, 'TRANSACTION_TYPE_DISABLED');
  });

  test('a suspended processor receives nothing, and merchant_id must belong to the processor', async () => {
    const { wallet, card } = await customer();
    const other = await newMerchant(kissi);
    assertRefused(await terminal.pay(card, { merchant_id: other.merchantId }), 403, 'MERCHANT_MISMATCH');
    const suspended = await terminalOf(kissi);
    await asAdmin(`/processors/${suspended.merchant.id}/suspend`, { reason: 'Chargebacks' });
    assertRefused(await suspended.pay(card), 403, 'PROCESSOR_SUSPENDED');
    await asAdmin(`/processors/${suspended.merchant.id}/reactivate`);
    assert.equal((await suspended.pay(card)).status, 200);
    assert.equal(await bank.balance(wallet.id), 90_000);
  });

  test('a wrong PIN returns 401 with attempts_remaining; the third locks the account for the correct PIN too', async () => {
    const { wallet, card } = await customer();
    for (const remaining of [2, 1, 0]) {
      const reply = await terminal.pay(card, { encrypted_pin: terminal.encrypt(card, WRONG_PIN) });
      assertRefused(reply, 401, 'INVALID_PIN');
      assert.equal(reply.json.attempts_remaining, remaining);
    }
    const locked = assertRefused(await terminal.pay(card), 403, 'ACCOUNT_LOCKED');
    assert.ok(Date.parse(locked.json.locked_until) > kissi.clock.now());
    assert.equal(await bank.balance(wallet.id), 100_000);
    kissi.clock.advance(31 * 60_000);
    assert.equal((await terminal.pay(card)).status, 200);
  });

  test('more than the balance is refused with 402, more than the daily limit with 422', async () => {
    const { card } = await customer(5_000);
    assertRefused(await terminal.pay(card, { amount: 5_001 }), 402, 'INSUFFICIENT_BALANCE');
    assert.equal((await terminal.pay(card, { amount: 5_000 })).status, 200);
    const rich = await customer(DAILY_LIMIT + 1_000_000);
    const over = assertRefused(await terminal.pay(rich.card, { amount: DAILY_LIMIT + 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.deepEqual(Object.keys(over.json).sort(), ['code', 'error', 'success'], 'a merchant sees no limits');
    assert.equal((await terminal.pay(rich.card, { amount: DAILY_LIMIT })).status, 200);
    assertRefused(await terminal.pay(rich.card, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
  });

  test('have the documented precedence: existence, status, PIN, amount, limits, balance', async () => {
    const { card } = await customer(10);
    const wrong = { encrypted_pin: terminal.encrypt(card, WRONG_PIN), amount: 0 };
    const other = (await newMerchant(kissi)).merchantId;
    assertRefused(
      await terminal.pay(card, { ...wrong, merchant_id: other, card_serial: 'CARD-UNKNOWN' }),
      404,
      'CARD_NOT_FOUND',
    );
    assertRefused(await terminal.pay(card, { ...wrong, merchant_id: other }), 403, 'MERCHANT_MISMATCH');
    assertRefused(await terminal.pay(card, wrong), 401, 'INVALID_PIN');
    assertRefused(await terminal.pay(card, { amount: 0 }), 400, 'INVALID_AMOUNT');
    assertRefused(await terminal.pay(card, { amount: DAILY_LIMIT + 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertRefused(await terminal.pay(card, { amount: 11 }), 402, 'INSUFFICIENT_BALANCE');
  });
});

describe('a child card', () => {
  test("can spend up to its daily limit, whatever the wallet's balance", async () => {
    const { wallet, card } = await customer(1_000_000);
    const child = await childOf(card, 15_000);
    assert.equal((await terminal.pay(child, { amount: 10_000 })).status, 200);
    const refused = assertRefused(await terminal.pay(child, { amount: 5_001 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.deepEqual(Object.keys(refused.json).sort(), ['code', 'error', 'success']);
    assert.equal((await terminal.payInApp(child, { amount: 5_000 })).status, 200);
    assertRefused(await terminal.pay(child, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assert.equal((await terminal.pay(card, { amount: 50_000 })).status, 200, 'the parent card has no such limit');
    kissi.clock.advance(DAY_MS);
    assert.equal((await terminal.pay(child, { amount: 15_000 })).status, 200);
    assert.equal(await bank.balance(wallet.id), 1_000_000 - 80_000);
  });

  test('cannot exceed its limit with twenty concurrent payments', async () => {
    const { wallet, card } = await customer(1_000_000);
    const child = await childOf(card, 5_000);
    const replies = await Promise.all(Array.from({ length: 20 }, () => terminal.pay(child, { amount: 1_000 })));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    for (const reply of replies) if (reply.status !== 200) assertRefused(reply, 422, 'DAILY_LIMIT_EXCEEDED');
    assert.equal(await bank.balance(wallet.id), 995_000);
  });

  test('has its limit unchanged by a payment that is refused for another reason', async () => {
    const { card } = await customer(3_000);
    const child = await childOf(card, 5_000);
    assertRefused(await terminal.pay(child, { amount: 4_000 }), 402, 'INSUFFICIENT_BALANCE');
    assert.equal((await terminal.pay(child, { amount: 3_000 })).status, 200);
  });
});

test('twenty concurrent payments do not overdraw the wallet', async () => {
  const { wallet, card } = await customer(10_500);
  const replies = await Promise.all(Array.from({ length: 20 }, () => terminal.pay(card, { amount: 1_000 })));
  assert.equal(replies.filter(({ status }) => status === 200).length, 10);
  for (const reply of replies) if (reply.status !== 200) assertRefused(reply, 402, 'INSUFFICIENT_BALANCE');
  assert.equal(await bank.balance(wallet.id), 500);
});
