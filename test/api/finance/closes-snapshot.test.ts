// Tests what the figures of a daily close contain while others match and while queries take long, and how exactly they are verified.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { signingKey } from '@kissi/signatures/documents';
import pg from 'pg';
import { verifyBooks } from '../../../src/app/verification.ts';
import { SYSTEM } from '../../../src/audit/log.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { APP_ROLE } from '../../../src/db/schema/migrate.ts';
import { createCloseDay } from '../../../src/features/finance/closes/close-day.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { fundAgent, newAgent } from '../../support/agents.ts';
import { csvFile, newTrustAccount, uploadStatement } from '../../support/bank-files.ts';
import { TEST_SHARDS } from '../../support/citus.ts';
import { closableFrom, close, dayOf, getClose } from '../../support/closes.ts';
import { LONG_TIMEOUTS } from '../../support/database.ts';
import { assertStatus, SECRETS } from '../../support/gateway.ts';
import { assertLedgerConsistent, bankForFile } from '../../support/money.ts';
import { staffToken } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';

const { kissi } = await bankForFile();
const { clock } = kissi;
const owner = new pg.Client({ connectionString: kissi.db.url });
// The database is dropped before the connection is closed.
owner.on('error', () => undefined);
await owner.connect();
after(() => owner.end());

function endDay(): string {
  const date = dayOf(clock.now());
  clock.advance(closableFrom(date) - clock.now());
  return date;
}

test('figures that take longer than other queries may do not fail the close', async () => {
  await fundAgent(kissi, await newAgent(kissi), 1_000);
  const date = endDay();
  const timeouts = { ...LONG_TIMEOUTS, statementMs: 100 };
  const limited = openDatabase({ url: kissi.db.url, poolSize: 4, role: APP_ROLE, timeouts, shards: TEST_SHARDS });
  try {
    const closeDay = createCloseDay({
      database: { ...kissi.db.database, withLongQueries: limited.withLongQueries },
      audit: kissi.gateway.services.audit,
      key: signingKey(SECRETS.CLOSE_SIGNING_KEY, 'CLOSE_SIGNING_KEY'),
      operatorName: 'Test',
      clock,
    });
    await owner.query('begin');
    await owner.query('lock table account_rollups in access exclusive mode');
    const closing = closeDay(SYSTEM, { date });
    await assert.rejects(limited.queries.selectFrom('account_rollups').selectAll().execute(), /statement timeout/);
    await waitFor('the close waits for longer', async () => {
      const { rows } = await owner.query(`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '200 milliseconds'`);
      return rows.length > 0;
    });
    await owner.query('commit');
    const closed = await closing;
    assert.ok(!(closed instanceof Refusal), JSON.stringify(closed));
    assert.equal(closed.date, date);
  } finally {
    await limited.close();
  }
});

test('a match at the same moment as a close is verified by its number, not by its time', async () => {
  await fundAgent(kissi, await newAgent(kissi), 4_000);
  const date = endDay();
  const token = await staffToken(kissi, 'finance_user');
  const account = await newTrustAccount(kissi, token);
  const file = csvFile({ from: date, entries: [{ amount: 4_000 }] });
  assert.equal((await uploadStatement(kissi, token, account.id, ['text/csv', file])).status, 201);
  const first = assertStatus(await close(kissi, { date }), 201);
  const [entry, movement] = [
    (await kissi.db.query('select id from bank_entries where amount = 4000')).rows[0].id,
    (await kissi.db.query(`select id from movements where type = 'agent_fund' and amount = 4000`)).rows[0].id,
  ];
  const body = { bank_entry_ids: [entry], transaction_ids: [movement] };
  assertStatus(await kissi.call('POST', '/api/v1/admin/reconciliation/matches', { body, token }), 201);
  const correction = { date, corrects: first.json.close.id, reason: 'The statement was matched.' };
  assert.equal((await close(kissi, correction)).status, 201);

  const [before, now] = [await getClose(kissi, first.json.close.id), await getClose(kissi, date)];
  const countsOf = ({ content }: typeof now) => [content.unmatched.bank.count, content.unmatched.books.count];
  assert.deepEqual([countsOf(before)[0], countsOf(now)[0]], [1, 0]);
  assert.equal(countsOf(before)[1] - countsOf(now)[1], 1);
  assert.ok(before.content.reconciliation_change < now.content.reconciliation_change);
  await assertLedgerConsistent(kissi);

  // The match's digest in the audit log would not allow it either.
  const setChange = (change: string) => owner.query(`update reconciliation_matches set made_change = ${change}`);
  await setChange('made_change - 100');
  const { broken, faults } = await verifyBooks(kissi.db.url, SECRETS.MASTER_KEY);
  await setChange('made_change + 100');
  assert.deepEqual([...broken.keys()], ['close_differs']);
  assert.match(faults[0]?.detail ?? '', /^unmatched is /);
  await assertLedgerConsistent(kissi);
});
