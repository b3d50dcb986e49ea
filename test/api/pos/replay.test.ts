// Tests replays of card payments and refunds: the same bytes, executed once, even concurrently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type CallReply } from '../../support/gateway.ts';
import { bankForFile, movementCount, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { encryptPin, newRequestId, terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);

const { customer } = bank;

function assertReplayed(again: CallReply, first: CallReply): void {
  assert.equal(first.status, 200, first.text);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
}

test('a repeated payment is replayed byte for byte and moves no money', async () => {
  const { wallet, card } = await customer();
  for (const path of ['/pos/payment', '/payment']) {
    const body = terminal.payment(card, { metadata: { big: 1 } });
    const first = await terminal.send(path, body);
    kissi.clock.advance(10 * MINUTE_MS);
    assertReplayed(await terminal.send(path, body), first);
    const equivalent = { ...body, amount: '10000', card_serial: card.toLowerCase(), currency: 'SLE', extra: 'ignored' };
    assertReplayed(await terminal.send(path, equivalent), first);
  }
  assert.equal(await bank.balance(wallet.id), 80_000);
});

test('a retry is replayed with a wrong or undecryptable PIN and after all parties are blocked', async () => {
  const { wallet, card } = await customer();
  const own = await terminalOf(kissi);
  const body = own.payment(card);
  const first = await own.send('/pos/payment', body);
  const encrypted = (secret: string, pin: string) => encryptPin(secret, { pin, card_serial: card });
  assertReplayed(
    await own.send('/pos/payment', { ...body, encrypted_pin: encrypted(own.key.secret, WRONG_PIN) }),
    first,
  );
  assertReplayed(
    await own.send('/pos/payment', { ...body, encrypted_pin: encrypted('rotated secret', WRONG_PIN) }),
    first,
  );
  const block = (path: string) => kissi.asAdmin.post(path, { reason: 'Fraud' });
  await block(`/subscribers/${wallet.id}/block`);
  await block(`/processors/${own.merchant.id}/suspend`);
  assertReplayed(await own.send('/pos/payment', body), first);
  assert.equal(await movementCount(kissi, own.merchant.id), 1);
});

test('other details with the same request id are a conflict, even on another route', async () => {
  const { wallet, card } = await customer();
  const body = terminal.payment(card, { metadata: { a: 1 } });
  const first = assertStatus(await terminal.send('/pos/payment', body), 200);
  const other = await newMerchant(kissi);
  const changes = [
    { amount: 10_001 },
    { amount: 'nonsense' },
    { card_serial: await bank.card(wallet) },
    { merchant_id: other.merchantId },
    { terminal_id: 'T-0002' },
    { metadata: { a: 2 } },
    { metadata: null },
    { metadata: undefined },
  ];
  for (const change of changes) {
    const reply = await terminal.send('/pos/payment', { ...body, ...change });
    assertRefused(reply, 409, 'REQUEST_CONFLICT', JSON.stringify(change));
  }
  assertRefused(await terminal.send('/payment', body), 409, 'REQUEST_CONFLICT', 'an in-app payment');
  const { transaction_id } = first.json;
  const refund = { request_id: body.request_id, transaction_id };
  assertRefused(await terminal.send('/pos/refund', refund), 409, 'REQUEST_CONFLICT', 'a refund');
  assert.equal(await bank.balance(wallet.id), 90_000);
});

test('another processor can use the same request id; refusals are not stored', async () => {
  const { wallet, card } = await customer(15_000);
  const [one, two] = [await terminalOf(kissi), await terminalOf(kissi)];
  const request_id = newRequestId();
  assertRefused(await one.pay(card, { request_id, amount: 20_000 }), 402, 'INSUFFICIENT_BALANCE');
  assert.equal((await one.pay(card, { request_id, amount: 5_000 })).status, 200);
  assert.equal((await two.pay(card, { request_id, amount: 6_000 })).status, 200);
  assert.equal(await bank.balance(wallet.id), 4_000);
});

test('twenty concurrent requests with one id are one payment, and likewise one refund', async () => {
  const { wallet, card } = await customer();
  const twenty = (send: () => Promise<CallReply>) => Promise.all(Array.from({ length: 20 }, send));
  const body = terminal.payment(card, { metadata: [1.5] });
  const paid = await twenty(() => terminal.send('/payment', body));
  assert.deepEqual([...new Set(paid.map(({ status, text }) => `${status} ${text}`))].length, 1);
  assert.equal(await bank.balance(wallet.id), 90_000);
  const refund = { request_id: newRequestId(), transaction_id: paid[0]?.json.transaction_id, amount: 4_000 };
  const refunded = await twenty(() => terminal.send('/payment/refund', refund));
  assert.equal(new Set(refunded.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(refunded[0]?.json.refunded_total, 4_000);
  assert.equal(await bank.balance(wallet.id), 94_000);
});

test('a repeated refund is replayed byte for byte, on both routes and after a suspension', async () => {
  const { wallet, card } = await customer();
  const own = await terminalOf(kissi);
  const { transaction_id } = (await own.pay(card)).json;
  const other = (await own.pay(card)).json.transaction_id;
  const part = { request_id: newRequestId(), transaction_id, amount: 3_000, reason: 'Broken' };
  const rest = { request_id: newRequestId(), transaction_id };
  const [first, second] = [await own.send('/pos/refund', part), await own.send('/pos/refund', rest)];
  assert.equal(second.json.amount, 7_000);
  assertReplayed(await own.send('/pos/refund', { ...part, amount: '3000' }), first);
  assertReplayed(await own.send('/payment/refund', rest), second);
  for (const change of [{ amount: 7_000 }, { reason: 'x' }, { transaction_id: other }]) {
    assertRefused(
      await own.send('/pos/refund', { ...rest, ...change }),
      409,
      'REQUEST_CONFLICT',
      JSON.stringify(change),
    );
  }
  const body = { reason: 'Fraud' };
  await kissi.asAdmin.post(`/processors/${own.merchant.id}/suspend`, body);
  assertReplayed(await own.send('/pos/refund', rest), second);
  assert.equal(await bank.balance(wallet.id), 90_000);
});
