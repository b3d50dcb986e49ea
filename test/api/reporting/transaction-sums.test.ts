// Tests the sums of a filtered list: they cover what the list shows, and agree with the reports' series.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { assertStatus, type Json } from '../../support/gateway.ts';
import { bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { markPep, newAuthorizedStaff, openAccess } from '../../support/pep.ts';
import { merchantToken } from '../../support/processors.ts';
import { assertRefused, staffToken } from '../../support/staff.ts';
import { terminalOf } from '../../support/terminal.ts';

const { kissi, bank } = await bankForFile();
const terminal = await terminalOf(kissi);
await fundAgent(kissi, await newAgent(kissi), 900_000);
const { card, wallet } = await bank.customer(500_000);
const other = await bank.wallet(10_000);
const pep = await bank.wallet(10_000);

async function transfer(from: Wallet, to: Wallet, amount: number): Promise<void> {
  const body = { sender_id: from.id, recipient_id: to.id, amount, pin: PIN };
  assertStatus(await bank.post('/wallet/transfer', body), 200);
}
const paid: Json = assertStatus(await terminal.pay(card, { amount: 40_000 }), 200).json;
assertStatus(await terminal.refund(paid.transaction_id, { amount: 1_500 }), 200);
await transfer(wallet, other, 1_000);
await transfer(wallet, other, 3_000);
await transfer(other, pep, 500);

const today = new Date(kissi.clock.now()).toISOString().slice(0, 10);
const DAY = { from: today, to: today };
type Query = Record<string, string>;
const params = (query: Query) => new URLSearchParams(query).toString();
const call = async (path: string, token?: string) =>
  kissi.call('GET', `/api/v1/${path}`, { token: token ?? (await kissi.adminToken()) });
const sumsOf = async (query: Query, token?: string): Promise<Json> =>
  assertStatus(await call(`transactions/sums?${params(query)}`, token), 200).json;

/** Added up from the list's own records. */
async function listed(query: Query, token?: string): Promise<Json> {
  const { transactions } = assertStatus(await call(`transactions?${params({ ...query, limit: '100' })}`, token), 200)
    .json as Json;
  const sum = (field: string) => transactions.reduce((total: number, row: Json) => total + row[field], 0);
  return { count: transactions.length, amount: sum('amount'), fee: sum('fee') };
}

test('sums cover exactly what the list with the same filters shows', async () => {
  for (const query of [
    DAY,
    { ...DAY, type: 'transfer_p2p' },
    { ...DAY, type: 'pos_refund' },
    { ...DAY, group: 'payments' },
    { ...DAY, group: 'refunds' },
    { ...DAY, group: 'refunds', type: 'transfer_p2p' },
    { ...DAY, group: 'payments', type: 'transfer_p2p' },
    { ...DAY, min_amount: '1000', max_amount: '3000' },
    { subscriber_id: wallet.id },
    { subscriber_id: wallet.id, type: 'transfer_p2p' },
    { subscriber_id: wallet.id, group: 'payments', ...DAY },
    { subscriber_id: wallet.id, min_amount: '2000' },
    { subscriber_id: wallet.id, processor_id: terminal.merchant.id },
    { from: '2020-01-01', to: '2020-01-31' },
  ] as Query[]) {
    assert.deepEqual(await sumsOf(query), await listed(query), params(query));
  }
  assert.deepEqual(await sumsOf({ ...DAY, group: 'refunds' }), { count: 1, amount: 1_500, fee: 0 });
  const transfers = await sumsOf({ ...DAY, type: 'transfer_p2p' });
  assert.deepEqual([transfers.count, transfers.amount], [3, 4_500]);
});

test("a day's sums of a group are the bars of the reports", async () => {
  for (const [group, count, value] of [
    ['payments', 'payments', 'value'],
    ['refunds', 'refunds', 'refunded_value'],
  ] as const) {
    const sums = await sumsOf({ ...DAY, group });
    const bar = async (metric: string) => {
      const reply = await call(`admin/series?${params({ metric, step: 'day', ...DAY })}`);
      return assertStatus(reply, 200).json.series[0].points[0].value;
    };
    assert.deepEqual([sums.count, sums.amount], [await bar(count), await bar(value)]);
    assert.ok(sums.count > 0);
    const list = await call(`transactions?${params({ ...DAY, group })}`);
    assert.equal(list.json.total_count, sums.count);
  }
});

test('sums of all accounts need a period of at most 31 days', async () => {
  for (const query of [{}, { from: today }, { to: today }, { from: '2026-01-01', to: '2026-02-01' }] as Query[]) {
    assertRefused(await call(`transactions/sums?${params(query)}`), 400, 'INVALID_REQUEST', params(query));
  }
  await sumsOf({ from: '2026-01-01', to: '2026-01-31' });
});

test('a merchant sums its own payments only', async () => {
  const token = await merchantToken(kissi, terminal.merchant);
  assert.deepEqual(await sumsOf({ ...DAY }, token), await listed(DAY, token));
  assert.equal((await sumsOf({ type: 'pos_payment' }, token)).amount, 40_000);
  assertRefused(await call(`transactions/sums?subscriber_id=${wallet.id}`, token), 403, 'FORBIDDEN');
});

test('staff without access get the sums of what they see, without the payments of a PEP', async () => {
  await markPep(kissi, pep.id);
  const token = await staffToken(kissi, 'support_user');
  const open = await newAuthorizedStaff(kissi, 'system_admin');
  await openAccess(kissi, open);
  for (const query of [DAY, { subscriber_id: other.id }, { ...DAY, group: 'payments' }] as Query[]) {
    const [seen, all] = [await sumsOf(query, token), await sumsOf(query, open.token)];
    assert.deepEqual(seen, await listed(query, token), params(query));
    assert.ok(all.count > seen.count && all.amount >= seen.amount + 500, params(query));
  }
  assertRefused(await call(`transactions/sums?subscriber_id=${pep.id}`, token), 403, 'PEP_ACCESS_REQUIRED');
});
