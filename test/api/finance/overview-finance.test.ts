// Tests what the overview shows finance: statements, open items, suspense, cover, days to close, and e-money as in the close.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { closableFrom, close, dayOf } from '../../support/closes.ts';
import type { Json } from '../../support/gateway.ts';
import { bankForFile, PIN } from '../../support/money.ts';
import { webhookHeaders } from '../../support/partner.ts';
import { staffToken } from '../../support/staff.ts';

const SECRET = 'a-webhook-secret-shared-with-one-partner';
const { kissi, bank } = await bankForFile({ env: { PARTNER_CASHIN_WEBHOOK_SECRET: SECRET } });
const { clock } = kissi;
const NO_ITEMS = { under_1_day: 0, under_3_days: 0, under_7_days: 0, older: 0 };

async function call(method: string, path: string, body?: object): Promise<Json> {
  const token = await kissi.adminToken();
  const reply = await kissi.call(method, `/api/v1${path}`, { token, ...(body ? { body } : {}) });
  assert.ok(reply.status < 300, reply.text);
  return reply.json;
}

const finance = async () => (await call('GET', '/admin/overview')).finance;

let trust: Json;

async function upload(day: string, opening: number, amount: number, reference: string): Promise<void> {
  const file = csvFile({ from: day, opening, entries: [{ amount, reference, description: 'Cash deposit' }] });
  const reply = await uploadStatement(kissi, await staffToken(kissi, 'finance_user'), trust.id, ['text/csv', file]);
  assert.equal(reply.status, 201, reply.text);
}

async function depositToSuspense(amount: number): Promise<void> {
  const raw = JSON.stringify({ card_serial: await bank.card(await bank.wallet()), amount });
  const reply = await kissi.call('POST', '/webhooks/partner/cashin', { raw, headers: webhookHeaders(SECRET, raw) });
  assert.equal(reply.status, 200, reply.text);
}

test('without trust accounts and movements nothing waits', async () => {
  assert.deepEqual(await finance(), {
    statements: { missing: 0, late: 0, covered_until: null, gaps: [] },
    unmatched: { bank: NO_ITEMS, books: NO_ITEMS },
    suspense: NO_ITEMS,
    cover: { ratio: null, date: null, is_below_1: false, trust_balance: null, e_money: null },
    closes: { missing: 0, last_date: null },
  });
});

test('a statement is missing the day after the registration of its account, and late two days after', async () => {
  trust = await newTrustAccount(kissi, await staffToken(kissi, 'finance_user'));
  assert.deepEqual((await finance()).statements, { missing: 0, late: 0, covered_until: null, gaps: [] });
  clock.advance(DAY_MS);
  assert.deepEqual((await finance()).statements, { missing: 1, late: 0, covered_until: null, gaps: [] });
  clock.advance(DAY_MS);
  assert.deepEqual((await finance()).statements, { missing: 1, late: 1, covered_until: null, gaps: [] });
});

test('open bank entries, movements and suspense are counted by age, and the cover below 1 is reported', async () => {
  const agent = await newAgent(kissi);
  await fundAgent(kissi, agent, 90_000);
  await depositToSuspense(700);
  const today = dayOf(clock.now());
  await upload(today, 0, 60_000, 'SLIP-1');
  const oneItem = { ...NO_ITEMS, under_1_day: 1 };
  const now = await finance();
  assert.deepEqual(now.unmatched, { bank: oneItem, books: oneItem });
  assert.deepEqual(now.suspense, oneItem);
  assert.deepEqual(now.statements, { missing: 0, late: 0, covered_until: today, gaps: [] });
  // 60,000 of 90,700: the cover is rounded down.
  const figures = { trust_balance: 60_000, e_money: 90_700 };
  assert.deepEqual(now.cover, { ratio: '0.6615', date: today, is_below_1: true, ...figures });
  for (const [days, age] of [
    [2, 'under_3_days'],
    [3, 'under_7_days'],
    [3, 'older'],
  ] as const) {
    clock.advance(days * DAY_MS);
    const later = await finance();
    const expected = { ...NO_ITEMS, [age]: 1 };
    assert.deepEqual(later.unmatched, { bank: expected, books: expected }, age);
    assert.deepEqual(later.suspense, expected, age);
  }
});

test('matched items and write-offs no longer wait, and enough trust money ends the report of the cover', async () => {
  const { items } = await call('GET', '/admin/reconciliation?status=unmatched');
  const [entry, funding] = ['bank', 'books'].map((side) => items.find((each: Json) => each.side === side).id);
  const reason = 'Bank charges, paid by the operator';
  await call('POST', '/admin/reconciliation/write-offs', { bank_entry_ids: [entry], reason });
  assert.deepEqual((await finance()).unmatched.bank, NO_ITEMS);
  const yesterday = dayOf(clock.now() - DAY_MS);
  await upload(yesterday, 60_000, 90_000, 'SLIP-2');
  const [deposit] = (await call('GET', '/admin/reconciliation?status=unmatched&side=bank')).items;
  await call('POST', '/admin/reconciliation/matches', { bank_entry_ids: [deposit.id], transaction_ids: [funding] });
  const { unmatched, cover, statements } = await finance();
  assert.deepEqual(unmatched, { bank: NO_ITEMS, books: NO_ITEMS });
  const figures = { trust_balance: 150_000, e_money: 90_700 };
  assert.deepEqual(cover, { ratio: '1.6538', date: yesterday, is_below_1: false, ...figures });
  assert.deepEqual({ ...statements, gaps: null }, { missing: 0, late: 0, covered_until: yesterday, gaps: null });
});

test('days between two statements are reported for 30 days after the later one', async () => {
  const uploadedOn = clock.now();
  const [from, to] = [dayOf(uploadedOn - 7 * DAY_MS), dayOf(uploadedOn - 2 * DAY_MS)];
  assert.deepEqual((await finance()).statements.gaps, [{ trust_account_id: trust.id, from, to }]);
  await upload(dayOf(uploadedOn), 150_000, 1, 'SLIP-3');
  assert.deepEqual((await finance()).statements.gaps.length, 1, 'the next day is no gap');
  clock.advance(3 * DAY_MS);
  const weekend = dayOf(uploadedOn + DAY_MS);
  await upload(dayOf(uploadedOn + 2 * DAY_MS), 150_001, 1, 'SLIP-4');
  assert.deepEqual((await finance()).statements.gaps, [
    { trust_account_id: trust.id, from: weekend, to: weekend },
    { trust_account_id: trust.id, from, to },
  ]);
  clock.set(uploadedOn + 30 * DAY_MS);
  assert.deepEqual((await finance()).statements.gaps, [{ trust_account_id: trust.id, from: weekend, to: weekend }]);
  clock.set(uploadedOn + 3 * DAY_MS);
});

test('days that are over and not closed are counted from ten minutes after midnight', async () => {
  const date = dayOf(clock.now());
  clock.set(closableFrom(date) - 1);
  const before = (await finance()).closes;
  clock.set(closableFrom(date));
  assert.deepEqual((await finance()).closes, { missing: 1, last_date: null });
  assert.equal((await close(kissi, { date })).status, 201);
  assert.deepEqual((await finance()).closes, { missing: 0, last_date: date });
  assert.deepEqual(before, { missing: 1, last_date: null }, 'the day before was not closed');
  clock.advance(3 * DAY_MS);
  assert.deepEqual((await finance()).closes, { missing: 3, last_date: date });
});

test('e-money in the overview equals e-money in the close, fee income included', async () => {
  const fee = { fee_type: 'percentage', fee_value: 2, debit_enabled: true, credit_enabled: false };
  await call('PUT', '/fee-settings', { transaction_type: 'transfer_p2p', party_type: 'sender', ...fee });
  const [alice, bob] = [await bank.wallet(50_000), await bank.wallet()];
  const order = { sender_id: alice.id, recipient_id: bob.id, amount: 10_000, pin: PIN };
  assert.equal((await bank.post('/wallet/transfer', order)).status, 200);
  clock.set(closableFrom(dayOf(clock.now())));
  const overview = await call('GET', '/admin/overview');
  const { missing, last_date: last } = overview.finance.closes;
  const days = Array.from({ length: missing }, (_, n) => dayOf(Date.parse(last) + (n + 1) * DAY_MS));
  const closed: Json[] = [];
  for (const date of days) closed.push((await call('POST', '/admin/closes', { date })).close);
  assert.equal(closed.at(-1)?.date, dayOf(clock.now() - DAY_MS));
  assert.equal(overview.balances.fee_income, 200);
  assert.equal(overview.balances.e_money, closed.at(-1)?.e_money);
});
