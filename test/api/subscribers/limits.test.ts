// The limits of a subscriber and what is used of them: the same counters that the ledger refuses payments with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, DAILY_LIMIT, MAX_BALANCE, PIN, type Wallet } from '../../support/money.ts';
import { markPep } from '../../support/pep.ts';
import { setNewPin } from '../../support/pin-reset.ts';
import { apiKey, assertRefused, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
// Its access does not end when the clock is moved.
const { key } = await apiKey(kissi, ['balance:read']);
const terminal = await terminalOf(kissi);

const ask = (id: string, token = key) => kissi.call('GET', `/api/v1/subscribers/${id}/limits`, { token });
async function limits({ id }: Wallet): Promise<Json> {
  return assertStatus(await ask(id), 200).json;
}
const send = (from: Wallet, to: Wallet, amount: number) =>
  bank.post('/wallet/transfer', { sender_id: from.id, recipient_id: to.id, amount, pin: PIN });

test('a new wallet has all of its limits left, until midnight UTC', async () => {
  const wallet = await bank.wallet(1_000);
  const { daily, balance, cards, currency, subscriber_id } = await limits(wallet);
  const midnight = (Math.floor(kissi.clock.now() / DAY_MS) + 1) * DAY_MS;
  assert.deepEqual(daily, {
    limit: DAILY_LIMIT,
    regular_limit: DAILY_LIMIT,
    reduced_until: null,
    used: 0,
    remaining: DAILY_LIMIT,
    counted_types: ['transfer_p2p', 'pos_payment', 'wallet_withdraw'],
    resets_at: new Date(midnight).toISOString(),
    time_zone: 'UTC',
  });
  assert.deepEqual(balance, { current: 1_000, maximum: MAX_BALANCE, remaining: MAX_BALANCE - 1_000 });
  assert.deepEqual([cards, currency, subscriber_id], [[], 'SLE', wallet.id]);
});

test('what is used counts without fees, what is left can be paid, and one more cannot', async () => {
  const [from, to] = [await bank.wallet(DAILY_LIMIT * 2), await bank.wallet()];
  assert.equal((await send(from, to, DAILY_LIMIT - 10_000)).status, 200);
  const { daily } = await limits(from);
  assert.deepEqual([daily.used, daily.remaining], [DAILY_LIMIT - 10_000, 10_000]);
  assert.equal((await limits(to)).daily.used, 0);
  assertRefused(await send(from, to, 10_001), 422, 'DAILY_LIMIT_EXCEEDED');
  assert.equal((await send(from, to, 10_000)).status, 200);
  assert.equal((await limits(from)).daily.remaining, 0);
  kissi.clock.advance(DAY_MS);
  assert.deepEqual((await limits(from)).daily.used, 0);
});

test('a PIN reset reduces the limit to a tenth for a day', async () => {
  const wallet = await bank.wallet(1_000);
  const reset = assertStatus(await setNewPin(kissi, 'subscribers', wallet, '4071'), 200);
  const { daily } = await limits(wallet);
  assert.deepEqual([daily.limit, daily.regular_limit], [DAILY_LIMIT / 10, DAILY_LIMIT]);
  assert.equal(daily.reduced_until, reset.json.reduced_until);
  kissi.clock.advance(DAY_MS);
  assert.equal((await limits(wallet)).daily.limit, DAILY_LIMIT);
});

test('a child card has its own daily limit, which is used by its payments', async () => {
  const wallet = await bank.wallet(100_000);
  const parent = await bank.card(wallet);
  const body = { card_serial: 'CHILD-LIMIT-1', parent_serial: parent, daily_limit: 5_000, label: 'Fatmata' };
  const linked = await kissi.asAdmin.post('/cards/child', body);
  assert.ok(linked.status < 300, linked.text);
  assert.equal((await terminal.pay('CHILD-LIMIT-1', { amount: 3_000 })).status, 200);
  assert.equal((await terminal.pay(parent, { amount: 1_000 })).status, 200);
  const { cards, daily } = await limits(wallet);
  assert.deepEqual(cards, [{ serial: 'CHILD-LIMIT-1', label: 'Fatmata', limit: 5_000, used: 3_000, remaining: 2_000 }]);
  assert.equal(daily.used, 4_000);
  kissi.clock.advance(DAY_MS);
  assert.equal((await limits(wallet)).cards[0].used, 0);
});

test('an unknown subscriber, a PEP, and a role that may not read balances are refused', async () => {
  assertRefused(await ask('sub_none'), 404, 'NOT_FOUND');
  const { id } = await bank.wallet();
  assertRefused(await ask(id, await staffToken(kissi, 'sales_user')), 403, 'FORBIDDEN');
  await markPep(kissi, id);
  assertRefused(await ask(id), 403, 'PEP_ACCESS_REQUIRED');
});
