// Tests card payments that are authorised first: what is reserved, one capture or void, expiry to the millisecond, limits, races.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { verifyBooks } from '../../../src/app/verification.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { reportOf } from '../../../src/ledger/verification/verify.ts';
import { assertStatus, type CallReply, testGateway } from '../../support/gateway.ts';
import { createBank, DAILY_LIMIT, PIN } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { SECRETS } from '../../support/secrets.ts';
import { newRequestId, type Terminal, terminalOf } from '../../support/terminal.ts';

const kissi = await testGateway();
const bank = await createBank(kissi);
const second = await testGateway({ db: kissi.db, clock: kissi.clock });
after(async () => {
  await second.close();
  const books = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
  assert.deepEqual([...books.broken.keys()], [], reportOf(books));
  await kissi.close();
});
const terminal = await terminalOf(kissi);
const LIFE_MS = 7 * DAY_MS;

async function authorize(amount = 10_000, balance = 100_000, from: Terminal = terminal) {
  const { wallet, card } = await bank.customer(balance);
  const reply = assertStatus(await from.pay(card, { amount, capture: false }), 200);
  return { wallet, card, id: reply.json.transaction_id as string, json: reply.json };
}

/** With metadata as raw JSON, which the capture keeps. */
async function authorizedInApp(metadata: string): Promise<void> {
  const { card } = await bank.customer();
  const body = { ...terminal.payment(card, { terminal_id: undefined, amount: 100, capture: false }), metadata: 'RAW' };
  const raw = JSON.stringify(body).replace('"RAW"', metadata);
  const reply = assertStatus(await terminal.send('/payment', body, { raw }), 200);
  const done = assertStatus(await end('capture', reply.json.transaction_id), 200);
  const { rows } = await kissi.db.query('select metadata::text from movements where id = $1', [
    done.json.transaction_id,
  ]);
  assert.equal(rows[0].metadata, metadata);
}

const end = (what: 'capture' | 'void', id: string, extra: object = {}, from: Terminal = terminal) =>
  from.send(`/pos/payment/${id}/${what}`, { request_id: newRequestId(), ...extra });
const capture = (id: string, extra: object = {}) => end('capture', id, extra);
const voidPayment = (id: string, extra: object = {}) => end('void', id, extra);

async function account(id: string) {
  const { rows } = await kissi.db.query('select balance, held, daily_used from accounts where id = $1', [id]);
  return { balance: rows[0].balance, held: rows[0].held, daily: rows[0].daily_used };
}

const transfer = (sender: string, recipient: string, amount: number) =>
  bank.post('/wallet/transfer', { sender_id: sender, recipient_id: recipient, amount, pin: PIN });

const expireHolds = () => kissi.gateway.services.holdExpiry.run();

describe('an authorisation', () => {
  test('reserves amount and fee, moves nothing and counts towards the daily limit', async () => {
    const merchant = await account(terminal.merchant.id);
    const { wallet, json } = await authorize(40_000);
    assert.equal(json.status, 'AUTHORIZED');
    assert.equal(json.expires_at, new Date(kissi.clock.now() + LIFE_MS).toISOString());
    assert.match(json.receipt, /AUTHORIZED/);
    assert.deepEqual(await account(wallet.id), { balance: 100_000, held: 40_000, daily: 40_000 });
    assert.deepEqual(await account(terminal.merchant.id), merchant);
    const { rows } = await kissi.db.query('select 1 from movements where id = $1', [json.transaction_id]);
    assert.equal(rows.length, 0);
  });

  test('leaves only the available balance to every payment', async () => {
    const { wallet, card } = await authorize(60_000);
    const other = await bank.wallet();
    assertRefused(await transfer(wallet.id, other.id, 50_000), 402, 'INSUFFICIENT_BALANCE');
    assertRefused(await terminal.pay(card, { amount: 40_001 }), 402, 'INSUFFICIENT_BALANCE');
    assertRefused(await terminal.pay(card, { amount: 40_001, capture: false }), 402, 'INSUFFICIENT_BALANCE');
    assertStatus(await terminal.pay(card, { amount: 40_000 }), 200);
    assert.deepEqual(await account(wallet.id), { balance: 60_000, held: 60_000, daily: 100_000 });
  });

  test('is answered again to the same request, and conflicts with a payment of the same id', async () => {
    const { wallet, card } = await bank.customer();
    const body = terminal.payment(card, { amount: 5_000, capture: false });
    const first = assertStatus(await terminal.send('/pos/payment', body), 200);
    const again = assertStatus(await terminal.send('/pos/payment', body), 200);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assertRefused(await terminal.send('/pos/payment', { ...body, capture: true }), 409, 'REQUEST_CONFLICT');
    assert.equal((await account(wallet.id)).held, 5_000);
  });

  test('in an app works the same, with metadata', async () => {
    const { card } = await bank.customer();
    const metadata = { order: 7 };
    // Text whose numbers JavaScript cannot hold, and JSON that is no object.
    for (const raw of ['12345678901234567890', '"x"', 'null', '[1.50]']) await authorizedInApp(raw);
    const reply = assertStatus(await terminal.payInApp(card, { amount: 900, capture: false, metadata }), 200);
    assert.deepEqual([reply.json.status, reply.json.metadata], ['AUTHORIZED', metadata]);
    const body = { request_id: newRequestId() };
    const done = assertStatus(await terminal.send(`/payment/${reply.json.transaction_id}/capture`, body), 200);
    const { rows } = await kissi.db.query('select metadata, details from movements where id = $1', [
      done.json.transaction_id,
    ]);
    assert.deepEqual(rows[0].metadata, metadata);
    assert.equal(rows[0].details.hold_id, reply.json.transaction_id);
  });

  test('of several at once never reserves more than the balance', async () => {
    const { wallet, card } = await bank.customer(100_000);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => terminal.pay(card, { amount: 30_000, capture: false })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 3);
    assert.deepEqual(await account(wallet.id), { balance: 100_000, held: 90_000, daily: 90_000 });
  });
});

describe('a capture', () => {
  test('pays what was authorised at the price of that moment', async () => {
    const { wallet, id, json } = await authorize(10_000);
    const merchant = (await account(terminal.merchant.id)).balance;
    const done = assertStatus(await capture(id), 200).json;
    assert.equal(done.authorization_transaction_id, id);
    assert.notEqual(done.transaction_id, id);
    assert.deepEqual(
      [done.status, done.amount, done.released, done.fee, done.authorization_code],
      ['CAPTURED', 10_000, 0, json.fee, json.authorization_code],
    );
    assert.deepEqual(await account(wallet.id), { balance: 90_000, held: 0, daily: 10_000 });
    assert.equal((await account(terminal.merchant.id)).balance, merchant + 10_000 - json.fee);
  });

  test('has a receipt to print, with the merchant, card and code of the authorisation and the captured amount', async () => {
    const { json } = await authorize(10_000);
    const done = assertStatus(await capture(json.transaction_id, { amount: 4_000 }), 200).json;
    const isSame = (line: string) => !/UTC|SLE|AUTHORIZED|txn_/.test(line);
    const [slip, receipt] = [json.receipt.split('\n'), done.receipt.split('\n')];
    for (const line of slip.filter(isSame)) assert.ok(receipt.includes(line), `${line} in\n${done.receipt}`);
    assert.match(json.receipt, /\nAuthorisation +100\.00 SLE\n/);
    assert.match(done.receipt, /\nPurchase +40\.00 SLE\n/);
    assert.match(done.receipt, new RegExp(`\nCAPTURED +${json.authorization_code}\n${done.transaction_id}$`));
  });

  test('of a part releases the rest in the same commit and gives it back to the day', async () => {
    const { wallet, id } = await authorize(10_000);
    const done = assertStatus(await capture(id, { amount: '4000' }), 200).json;
    assert.deepEqual([done.amount, done.released], [4_000, 6_000]);
    assert.deepEqual(await account(wallet.id), { balance: 96_000, held: 0, daily: 4_000 });
  });

  test('keeps the fee of the authorisation when the price changes', async () => {
    const price = (fee_value: number) =>
      kissi.asAdmin.put('/fee-settings', {
        ...{ transaction_type: 'pos_payment', party_type: 'sender', fee_type: 'flat' },
        ...{ fee_value, debit_enabled: true, credit_enabled: false },
      });
    assertStatus(await price(1), 200);
    const { wallet, id } = await authorize(10_000);
    assert.equal((await account(wallet.id)).held, 10_100);
    assertStatus(await price(5), 200);
    assertStatus(await capture(id, { amount: 3_000 }), 200);
    assert.deepEqual(await account(wallet.id), { balance: 100_000 - 3_100, held: 0, daily: 3_000 });
    assertStatus(await price(0), 200);
  });

  test('for more than was authorised, or for nothing, is refused and changes nothing', async () => {
    const { wallet, id } = await authorize(10_000);
    assertRefused(await capture(id, { amount: 10_001 }), 422, 'CAPTURE_EXCEEDS_AUTHORIZATION');
    for (const amount of [0, -1, '1.5', 'x']) assertRefused(await capture(id, { amount }), 400, 'INVALID_AMOUNT');
    assert.equal((await account(wallet.id)).held, 10_000);
  });

  test('happens once: another is refused, and the same request gets the same reply', async () => {
    const { id } = await authorize();
    const request = { request_id: newRequestId(), amount: 2_000 };
    const first = assertStatus(await capture(id, request), 200);
    assert.equal((await capture(id, request)).text, first.text);
    assertRefused(await capture(id, { ...request, amount: 2_001 }), 409, 'REQUEST_CONFLICT');
    assertRefused(await capture(id), 409, 'ALREADY_CAPTURED');
    assertRefused(await voidPayment(id), 409, 'ALREADY_CAPTURED');
  });

  test('works after the customer and the card were blocked, and not for a suspended merchant', async () => {
    const own = await terminalOf(kissi, { merchant: await newMerchant(kissi) });
    const blocked = await authorize(10_000, 100_000, own);
    assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.wallet.id}/block`, { reason: 'Fraud' }), 200);
    assertStatus(await end('capture', blocked.id, {}, own), 200);
    const other = await authorize(10_000, 100_000, own);
    assertStatus(await kissi.asAdmin.post(`/processors/${own.merchant.id}/suspend`, { reason: 'Fraud' }), 200);
    assertRefused(await end('capture', other.id, {}, own), 403, 'PROCESSOR_SUSPENDED');
    assert.equal((await account(other.wallet.id)).held, 10_000);
  });

  test('can be refunded by its own id and by that of the authorisation', async () => {
    const { wallet, id } = await authorize(10_000);
    const paid = assertStatus(await capture(id, { amount: 8_000 }), 200).json.transaction_id;
    assertStatus(await terminal.refund(paid, { amount: 3_000 }), 200);
    const rest = assertStatus(await terminal.refund(id), 200).json;
    assert.deepEqual([rest.original_transaction_id, rest.amount, rest.remaining], [paid, 5_000, 0]);
    assert.equal((await account(wallet.id)).balance, 100_000);
  });

  test('by another merchant is refused, and an unknown or ordinary payment is not found', async () => {
    const { id, card } = await authorize();
    const other = await newMerchant(kissi);
    const foreign = await terminalOf(kissi, { merchant: other, keyExtra: { processor_id: other.id } });
    assertRefused(await end('capture', id, {}, foreign), 403, 'FORBIDDEN');
    assertRefused(await end('void', id, {}, foreign), 403, 'FORBIDDEN');
    const paid = (await terminal.pay(card, { amount: 100 })).json.transaction_id;
    for (const unknown of [paid, 'txn_00000000000000000000000000']) {
      assertRefused(await capture(unknown), 404, 'NOT_FOUND');
      assertRefused(await voidPayment(unknown), 404, 'NOT_FOUND');
    }
  });

  test('is 402 if a reversal left less than is held', async () => {
    const { wallet, id } = await authorize(60_000);
    const reversed = await takeBack(wallet.id, 70_000);
    assert.equal(reversed.status, 200, reversed.text);
    assertRefused(await capture(id), 402, 'INSUFFICIENT_BALANCE');
    assertStatus(await capture(id, { amount: 8_000 }), 200);
  });
});

/** A credit by a partner that is reversed although its money was spent or is held. */
async function takeBack(walletId: string, amount: number): Promise<CallReply> {
  const { testBank, newReference } = await import('../../support/inbound.ts');
  const inbound = await testBank(kissi);
  const { rows } = await kissi.db.query('select phone_number from subscribers where id = $1', [walletId]);
  const credit = await inbound.credit({ reference: newReference(), msisdn: rows[0].phone_number, amount });
  const other = await bank.wallet();
  assertStatus(await transfer(walletId, other.id, 90_000), 200);
  const path = `/admin/inbound/${credit.json.data.inbound_id}/reverse`;
  return kissi.asAdmin.post(path, { reason: 'Sent twice', allow_negative: true });
}

describe('a void', () => {
  test('makes everything available again and gives it back to the day', async () => {
    const { wallet, id } = await authorize(10_000);
    const request = { request_id: newRequestId() };
    const done = assertStatus(await voidPayment(id, request), 200);
    assert.deepEqual([done.json.status, done.json.amount, done.json.transaction_id], ['VOIDED', 10_000, id]);
    assert.deepEqual(await account(wallet.id), { balance: 100_000, held: 0, daily: 0 });
    assert.equal((await voidPayment(id, request)).text, done.text);
    assertRefused(await voidPayment(id), 409, 'ALREADY_VOIDED');
    assertRefused(await capture(id), 409, 'ALREADY_VOIDED');
  });

  test('of an authorisation of yesterday does not change what was used today', async () => {
    const { wallet, card, id } = await authorize(10_000);
    kissi.clock.advance(DAY_MS);
    assertStatus(await terminal.pay(card, { amount: 700 }), 200);
    assertStatus(await voidPayment(id), 200);
    assert.deepEqual(await account(wallet.id), { balance: 99_300, held: 0, daily: 700 });
  });
});

describe('the expiry', () => {
  test('is exact: a millisecond before it a capture succeeds, at the instant it is refused', async () => {
    const [early, late] = [await authorize(), await authorize()];
    const { rows } = await kissi.db.query('select expires_at from holds where id = $1', [late.id]);
    kissi.clock.advance(rows[0].expires_at.getTime() - kissi.clock.now() - 1);
    assertStatus(await capture(early.id), 200);
    kissi.clock.advance(1);
    assertRefused(await capture(late.id), 409, 'EXPIRED');
    assertRefused(await voidPayment(late.id), 409, 'EXPIRED');
    await expireHolds();
    assert.equal((await account(late.wallet.id)).held, 0);
    assertRefused(await capture(late.id), 409, 'EXPIRED');
  });

  test('frees the money at once for a payment that needs it', async () => {
    const { wallet, card } = await authorize(80_000);
    kissi.clock.advance(LIFE_MS);
    assertStatus(await terminal.pay(card, { amount: 90_000 }), 200);
    assert.deepEqual(await account(wallet.id), { balance: 10_000, held: 0, daily: 90_000 });
  });

  test('is recorded once by two gateways', async () => {
    const { id, wallet } = await authorize();
    kissi.clock.advance(LIFE_MS);
    await Promise.all([expireHolds(), second.gateway.services.holdExpiry.run(), expireHolds()]);
    const { rows } = await kissi.db.query('select outcome, captured from hold_ends where hold_id = $1', [id]);
    assert.deepEqual(rows, [{ outcome: 'expired', captured: 0 }]);
    assert.equal((await account(wallet.id)).held, 0);
  });
});

describe('limits', () => {
  test('count an authorisation on its day, and not again when it is captured', async () => {
    const wallet = await bank.wallet(DAILY_LIMIT * 2);
    const card = await bank.card(wallet);
    const { json } = assertStatus(await terminal.pay(card, { amount: DAILY_LIMIT, capture: false }), 200);
    assertRefused(await terminal.pay(card, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertStatus(await capture(json.transaction_id), 200);
    assertRefused(await terminal.pay(card, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
  });

  test("count on a child card's day, and what is not captured is given back", async () => {
    const { card } = await bank.customer();
    const child = { parent_serial: card, card_serial: `${card}-CHILD`, daily_limit: 10_000 };
    assertStatus(await bank.post('/cards/child', child), 201);
    const { json } = assertStatus(await terminal.pay(child.card_serial, { amount: 9_000, capture: false }), 200);
    assertRefused(await terminal.pay(child.card_serial, { amount: 2_000 }), 422, 'DAILY_LIMIT_EXCEEDED');
    assertStatus(await capture(json.transaction_id, { amount: 1_000 }), 200);
    assertStatus(await terminal.pay(child.card_serial, { amount: 9_000 }), 200);
    assertRefused(await terminal.pay(child.card_serial, { amount: 1 }), 422, 'DAILY_LIMIT_EXCEEDED');
  });

  test('of compliance count active authorisations like payments', async () => {
    const rule = {
      ...{ name: 'Three card payments an hour', kind: 'velocity_count', transaction_types: ['pos_payment'] },
      ...{ threshold: 3, window_seconds: 3_600, outcome: 'block', severity: 'HIGH', side: 'payer' },
    };
    const created = assertStatus(await kissi.asAdmin.post('/compliance/rules', rule), 201).json;
    const { card, id } = await authorize(100);
    assertStatus(await terminal.pay(card, { amount: 100, capture: false }), 200);
    assertStatus(await terminal.pay(card, { amount: 100 }), 200);
    assertRefused(await terminal.pay(card, { amount: 100 }), 422, 'COMPLIANCE_BLOCKED');
    assertRefused(await terminal.pay(card, { amount: 100, capture: false }), 422, 'COMPLIANCE_BLOCKED');
    assertStatus(await voidPayment(id), 200);
    assertStatus(await terminal.pay(card, { amount: 100 }), 200);
    const off = await kissi.asAdmin.put(`/compliance/rules/${created.rule.id}`, { ...rule, enabled: false });
    assertStatus(off, 200);
  });
});

describe('races', () => {
  const elsewhere = { ...terminal, send: terminal.send };
  const sendSecond: Terminal['send'] = async (path, body) => {
    const { sendSigned } = await import('../../support/terminal.ts');
    return sendSigned(second, `/api/v1${path}`, body, { key: terminal.key });
  };
  elsewhere.send = sendSecond;

  test('of captures and voids on two gateways have one winner, and money and holds agree', async () => {
    for (let round = 0; round < 8; round++) {
      const { wallet, id } = await authorize(10_000);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          end(n % 2 ? 'capture' : 'void', id, {}, n % 4 < 2 ? terminal : (elsewhere as Terminal)),
        ),
      );
      const won = replies.filter(({ status }) => status === 200);
      assert.equal(won.length, 1, replies.map(({ text }) => text).join('\n'));
      for (const { status, json } of replies.filter(({ status }) => status !== 200)) {
        const expected = won[0]?.json.status === 'CAPTURED' ? 'ALREADY_CAPTURED' : 'ALREADY_VOIDED';
        assert.deepEqual([status, json.code], [409, expected]);
      }
      const paid = won[0]?.json.status === 'CAPTURED' ? 10_000 : 0;
      assert.deepEqual(await account(wallet.id), { balance: 100_000 - paid, held: 0, daily: paid });
    }
  });

  test('of a capture with the expiry at the same instant end once', async () => {
    const { wallet, id } = await authorize(10_000);
    kissi.clock.advance(LIFE_MS);
    const [captured] = await Promise.all([
      end('capture', id, {}, elsewhere as Terminal),
      expireHolds(),
      second.gateway.services.holdExpiry.run(),
    ]);
    assertRefused(captured as CallReply, 409, 'EXPIRED');
    assert.deepEqual(await account(wallet.id), { balance: 100_000, held: 0, daily: 0 });
  });
});
