// The figures before a close: what a close of the day would sign, without signing anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { closableFrom, close, dayOf, endOf, getClose } from '../../support/closes.ts';
import { assertStatus } from '../../support/gateway.ts';
import { bankForFile } from '../../support/money.ts';
import { assertRefused, auditLogs, staffToken } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();
const { clock } = kissi;
const finance = await staffToken(kissi, 'finance_user');
const read = (date: string, token = finance) => kissi.call('GET', `/api/v1/admin/closes/${date}/figures`, { token });

test('the figures are those that the close signs', async () => {
  const date = dayOf(clock.now());
  const trust = await newTrustAccount(kissi, finance);
  await newTrustAccount(kissi, finance, { account_number: '7700' });
  await uploadStatement(kissi, finance, trust.id, [CSV, csvFile({ from: date, entries: [{ amount: 5_000 }] })]);
  await bank.wallet(90_000);
  assertRefused(await read(date), 422, 'DAY_NOT_OVER');
  clock.advance(closableFrom(date) - clock.now());
  const by = await staffToken(kissi, 'finance_user');
  const { figures } = assertStatus(await read(date, by), 200).json;
  assert.equal((await kissi.db.query('select count(*)::int as n from closes')).rows[0].n, 0);
  assert.deepEqual(await auditLogs(kissi, { action: 'close.create' }), []);
  assertStatus(await close(kissi, { date }), 201);
  const { content } = await getClose(kissi, date);
  const of = ({ count, amount }: { count: number; amount: number }) => ({ count, amount });
  assert.deepEqual(figures, {
    date,
    e_money: content.e_money.total,
    trust_balance: content.trust.total,
    cover_ratio: content.cover_ratio,
    cover_difference: content.cover_difference,
    owed_by_partners: content.partners.owed,
    suspense: of(content.suspense),
    unmatched_bank: of(content.unmatched.bank),
    unmatched_books: of(content.unmatched.books),
    statements_missing: 1,
  });
  assert.deepEqual([figures.e_money, figures.unmatched_bank], [90_000, { count: 1, amount: 5_000 }]);
});

test('only who may close a day reads them, and only of days', async () => {
  const date = dayOf(endOf(dayOf(clock.now())) - 2 * 86_400_000);
  for (const role of ['audit_user', 'support_user'] as const) {
    assertStatus(await read(date, await staffToken(kissi, role)), 403);
  }
  assertRefused(await read('yesterday', await staffToken(kissi, 'finance_user')), 400, 'INVALID_REQUEST');
});
