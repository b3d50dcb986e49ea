// Tests that the key of a suspended processor is refused on every terminal and app route.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile, WRONG_PIN } from '../../support/money.ts';
import { assertRefused, newMerchant } from '../../support/processors.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const wallet = await bank.wallet(100_000);
const card = await bank.card(wallet);
const merchant = await newMerchant(kissi);
/** The key belongs to the processor. */
const terminal = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
const paid = await pay();
await changeStatus('suspend', { reason: 'Fraud' });

async function pay(): Promise<{ body: Record<string, unknown>; id: string }> {
  const body = terminal.payment(card);
  const reply = assertStatus(await terminal.send('/pos/payment', body), 200);
  return { body, id: reply.json.transaction_id };
}

async function changeStatus(action: 'suspend' | 'reactivate', body: object = {}): Promise<void> {
  const path = `/api/v1/processors/${terminal.merchant.id}/${action}`;
  assertStatus(await kissi.call('POST', path, { body, token: await kissi.adminToken() }), 200);
}

const requests = (): [string, object][] =>
  ['/pos', '/payment'].flatMap((prefix): [string, object][] => [
    [`${prefix}/verify-card`, { card_serial: card }],
    [`${prefix}/verify-card`, { card_serial: 'UNKNOWN-CARD' }],
    [`${prefix}/verify-account`, { phone_number: wallet.phone }],
    [`${prefix}/verify-account`, { account_number: '0000000000' }],
    [`${prefix}/lookup-card`, { card_serial: card }],
    [`${prefix}/lookup-card`, { card_serial: 'UNKNOWN-CARD' }],
    [`${prefix}/refund`, { request_id: 'r-1', transaction_id: paid.id }],
    [`${prefix}/refund`, { request_id: 'r-2', transaction_id: 'txn_unknown' }],
  ]);

test('the key of a suspended processor gets 403 PROCESSOR_SUSPENDED on every route, for existing and unknown records', async () => {
  for (const [path, body] of requests()) {
    const reply = assertRefused(await terminal.send(path, body), 403, 'PROCESSOR_SUSPENDED', path);
    assert.deepEqual(Object.keys(reply.json), ['success', 'error', 'code']);
  }
  const other = await newMerchant(kissi);
  for (const extra of [
    {},
    { card_serial: 'UNKNOWN-CARD' },
    { processor_id: 'proc_unknown' },
    { processor_id: other.id, merchant_id: other.merchantId },
  ]) {
    const body = { ...extra, encrypted_pin: terminal.encrypt(card, WRONG_PIN) };
    assertRefused(await terminal.pay(card, body), 403, 'PROCESSOR_SUSPENDED', JSON.stringify(extra));
    assertRefused(await terminal.payInApp(card, body), 403, 'PROCESSOR_SUSPENDED', JSON.stringify(extra));
  }
  const { rows } = await kissi.db.query('select failures from pins where owner_id = $1', [wallet.id]);
  assert.deepEqual([rows[0].failures, await bank.balance(wallet.id)], [0, 90_000]);
});

test('the key of a suspended processor is rejected before its body is read and before a replay', async () => {
  assertRefused(await terminal.send('/pos/payment', paid.body), 403, 'PROCESSOR_SUSPENDED');
  assertRefused(await terminal.send('/pos/verify-card', {}), 403, 'PROCESSOR_SUSPENDED');
});

test("keys of the operator can query but not pay a suspended processor; reactivation restores the processor's key", async () => {
  const operatorTerminal = await terminalOf(kissi, { merchant: terminal.merchant });
  assert.equal((await operatorTerminal.send('/pos/verify-card', { card_serial: card })).json.valid, true);
  assertRefused(await operatorTerminal.pay(card), 403, 'PROCESSOR_SUSPENDED');
  await changeStatus('reactivate');
  assert.equal((await terminal.send('/pos/verify-card', { card_serial: card })).json.valid, true);
  assert.equal((await terminal.pay(card)).status, 200);
  const again = await terminal.send('/pos/payment', paid.body);
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
});
