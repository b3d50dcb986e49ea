// A suspended processor's key: nothing on any route of terminals and apps, neither money nor knowledge.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankForFile, WRONG_PIN } from '../support/money.ts';
import { assertRefused, newMerchant } from '../support/processors.ts';
import { terminalOf } from '../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const wallet = await bank.wallet(100_000);
const card = await bank.card(wallet);
const merchant = await newMerchant(kissi);
/** Its key belongs to its merchant. */
const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
const paid = await payment();
await setState('suspend', { reason: 'Fraud' });

async function payment(): Promise<{ body: Record<string, unknown>; text: string; id: string }> {
  const body = terminal.payment(card);
  const reply = await terminal.send('/pos/payment', body);
  assert.equal(reply.status, 200, reply.text);
  return { body, text: reply.text, id: reply.json.transaction_id };
}

async function setState(state: string, body: object = {}): Promise<void> {
  const path = `/api/v1/processors/${terminal.merchant.id}/${state}`;
  const reply = await kissi.call('POST', path, { body, token: await kissi.adminToken() });
  assert.equal(reply.status, 200, reply.text);
}

const questions = (): [string, object][] =>
  ['/pos', '/payment'].flatMap((prefix): [string, object][] => [
    [`${prefix}/verify-card`, { card_serial: card }],
    [`${prefix}/verify-card`, { card_serial: 'NOBODYS-CARD' }],
    [`${prefix}/verify-account`, { phone_number: wallet.phone }],
    [`${prefix}/verify-account`, { account_number: '0000000000' }],
    [`${prefix}/lookup-card`, { card_serial: card }],
    [`${prefix}/lookup-card`, { card_serial: 'NOBODYS-CARD' }],
    [`${prefix}/refund`, { request_id: 'r-1', transaction_id: paid.id }],
    [`${prefix}/refund`, { request_id: 'r-2', transaction_id: 'txn_nobody' }],
  ]);

test('is 403 PROCESSOR_SUSPENDED everywhere, whether there is what it asks about or not', async () => {
  for (const [path, body] of questions()) {
    const reply = await terminal.send(path, body);
    assertRefused(reply, 403, 'PROCESSOR_SUSPENDED', path);
    assert.deepEqual(Object.keys(reply.json), ['success', 'error', 'code']);
  }
  const other = await newMerchant(kissi);
  for (const extra of [
    {},
    { card_serial: 'NOBODYS-CARD' },
    { processor_id: 'proc_nobody' },
    { processor_id: other.id, merchant_id: other.merchantId },
  ]) {
    const wrong = { ...extra, encrypted_pin: terminal.encrypt(card, WRONG_PIN) };
    assertRefused(await terminal.pay(card, wrong), 403, 'PROCESSOR_SUSPENDED', JSON.stringify(extra));
    assertRefused(await terminal.payInApp(card, wrong), 403, 'PROCESSOR_SUSPENDED', JSON.stringify(extra));
  }
  const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [wallet.id]);
  assert.deepEqual([rows[0].failures, await bank.balance(wallet.id)], [0, 90_000]);
});

test('gets the answer that a payment got before; a body of the wrong shape is told so first', async () => {
  const again = await terminal.send('/pos/payment', paid.body);
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [200, paid.text, 'true']);
  assertRefused(await terminal.send('/pos/verify-card', {}), 400, 'INVALID_REQUEST');
});

test('of the house is not touched, and the processor’s own asks again once it is reactivated', async () => {
  const house = await terminalOf(kissi, { merchant: terminal.merchant });
  assert.equal((await house.send('/pos/verify-card', { card_serial: card })).json.valid, true);
  assertRefused(await house.pay(card), 403, 'PROCESSOR_SUSPENDED');
  await setState('reactivate');
  assert.equal((await terminal.send('/pos/verify-card', { card_serial: card })).json.valid, true);
  assert.equal((await terminal.pay(card)).status, 200);
});
