// A customer's list of cases reads their own cases, not everybody's: any customer may ask for it as often as they like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOwnCases } from '../../../src/features/cases/store.ts';
import { bankForFile } from '../../support/money.ts';
import { firstStatement } from '../../support/statements.ts';

const { kissi, bank } = await bankForFile();
const customer = await bank.wallet();
const CASES = 20_000;

test('the list of a customer among many cases of others removes none of theirs by a filter', async () => {
  await kissi.db.query(
    `insert into cases (id, number, kind, state, channel, subscriber_id, description, opened_by_type, opened_by_id,
      acknowledge_by, resolve_by, created_at, updated_at)
    select 'case_' || lpad(n::text, 26, '0'), 'C-2026-' || n, 'other', 'open', 'wallet', 'sub_other', 'Other', 'subscriber',
      'sub_other', $2, $2, $2, $2 from generate_series(1, $1::integer) n`,
    [CASES, new Date(kissi.clock.now())],
  );
  await kissi.db.query('analyze cases, recalls');
  const { sql, parameters } = await firstStatement((queries) =>
    listOwnCases(queries, customer.id, { limit: 50, offset: 0 }),
  );
  const { rows } = await kissi.db.query(`explain (analyze, costs off, timing off) ${sql}`, [...parameters]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.doesNotMatch(plan, /Seq Scan on cases/, plan);
  assert.doesNotMatch(plan, /Rows Removed by Filter/, plan);
  assert.match(plan, /cases_by_subscriber/, plan);
});
