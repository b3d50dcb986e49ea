// Query plans of the reconciliation: pages of the list read ranges of an index, and changes find their items by index.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DatabaseTransaction } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/schema/tables.ts';
import { type ItemFilter, listItems } from '../../src/features/finance/reconciliation/item-list.ts';
import { isAtBank } from '../../src/features/finance/reconciliation/payout-evidence.ts';
import { lockItems, type MatchRow, takeItems } from '../../src/features/finance/reconciliation/store.ts';
import type { Page } from '../../src/http/paging.ts';
import { testDatabase } from '../support/database.ts';

const db = await testDatabase();
const pool = new pg.Pool({ connectionString: db.url, max: 1 });
// At the end the database is dropped, perhaps before the connection has ended.
pool.on('connect', (client) => void client.on('error', () => undefined));
const executed: CompiledQuery[] = [];
const queries = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => void executed.push(query),
});
after(async () => {
  await queries.destroy();
  await db.close();
});

const ITEMS = 20_000;
await pool.query(`insert into reconciliation_items (side, item_id, dated, amount, status, match_id)
  select case n % 2 when 0 then 'bank' else 'books' end, 'item_' || lpad(n::text, 8, '0'), date '2026-01-01' + n / 100, n,
    case n % 10 when 0 then 'unmatched' else 'matched' end, case when n % 10 > 0 then 'match_' || n end
  from generate_series(1, ${ITEMS}) n`);
const planWithoutStatistics = await planOfTaking();
await pool.query('analyze reconciliation_items');

/** As a batch of a run changes the items of its matches. */
async function planOfTaking(): Promise<string> {
  const matches = Array.from({ length: 500 }, (_, n) => {
    const bank_entry_ids = [`item_${String((n + 1) * 10).padStart(8, '0')}`];
    return { id: `match_new_${n}`, status: 'matched', bank_entry_ids, transaction_ids: [] as string[] } as MatchRow;
  });
  return queries.transaction().execute(async (trx) => {
    await lockItems(trx as unknown as DatabaseTransaction);
    await takeItems(trx, matches);
    const query = executed.at(-1) as CompiledQuery;
    const { rows } = await trx.executeQuery({ ...query, sql: `explain (costs off) ${query.sql}` });
    return rows.map((row) => (row as Record<string, string>)['QUERY PLAN']).join('\n');
  });
}

test('the items of new matches are found by their key, even without statistics', () => {
  assert.match(planWithoutStatistics, /Index Scan using reconciliation_items_pkey/, planWithoutStatistics);
  assert.doesNotMatch(planWithoutStatistics, /Seq Scan|Hash Join|Merge Join/, planWithoutStatistics);
});

/** The plan of the query that reads the page; a second one counts. */
async function planOf(filter: ItemFilter, page: Page): Promise<string> {
  executed.length = 0;
  await listItems(queries, filter, page);
  const { sql, parameters } = executed[0] as CompiledQuery;
  const { rows } = await pool.query(`explain (costs off) ${sql}`, [...parameters]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const FILTERS: ItemFilter[] = [undefined, 'unmatched', 'matched'].flatMap((status) =>
  ([undefined, 'bank', 'books'] as const).flatMap((side) =>
    [undefined, '2026-02-01'].map((before) => ({ status, side, before })),
  ),
);

for (const filter of FILTERS) {
  test(`${JSON.stringify(filter)} reads a range of an index`, async () => {
    const pages = [
      { limit: 50, offset: 0 },
      { limit: 50, offset: 100 },
      { limit: 50, offset: 0, after: 'item_00010000' },
    ];
    for (const page of pages) {
      const plan = await planOf(filter, page);
      assert.doesNotMatch(plan, /Seq Scan|Hash Join/, plan);
      // All conditions are part of the range: the scan reads no items of another status, side or age.
      assert.doesNotMatch(plan, /^ +Filter: /m, plan);
      const index = filter.status === undefined ? 'by_side' : 'by_status_and_side';
      const scans = plan.match(/(?:using|Bitmap Index Scan on) reconciliation_items_\w+/g) ?? [];
      assert.ok(scans.length > 0, plan);
      for (const scan of scans) assert.match(scan, new RegExp(`_(?:${index}|pkey)$`), plan);
    }
  });
}

test("a debit with a pay-out's reference is found by index among many entries", async () => {
  await pool.query(`insert into trust_accounts (id, name, bank, account_number, currency, created_at, updated_at)
      values ('trust_1', 'Trust', 'Bank', '1', 'SLE', now(), now());
    insert into bank_statements (id, trust_account_id, format, file_sha256, from_date, to_date, opening_balance, closing_balance,
        entry_count, entries_digest, file, uploaded_by, uploaded_at)
      values ('stmt_1', 'trust_1', 'csv', sha256(''), '2026-01-01', '2026-01-01', 0, 0, 20000, sha256(''), '', 'usr', now());
    insert into bank_entries (id, trust_account_id, statement_id, position, booked_on, amount, reference, description)
      select 'bent_' || n, 'trust_1', 'stmt_1', n, '2026-01-01', -n, 'PO' || lpad(n::text, 12, '0'), 'Transfer to a shop'
      from generate_series(1, 20000) n;
    analyze bank_entries`);
  executed.length = 0;
  const payout = (n: number) => ({
    reference: `PO${String(n).padStart(12, '0')}`,
    amount: n,
    at: new Date('2026-01-01'),
  });
  assert.equal(await isAtBank(queries, payout(19_999)), true);
  assert.equal(await isAtBank(queries, { ...payout(20_001), at: new Date('2025-12-01') }), false);
  const plans: string[] = [];
  for (const { sql, parameters } of [...executed] as CompiledQuery[]) {
    const { rows } = await pool.query(`explain (costs off) ${sql}`, [...parameters]);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  const [found = '', , cut = ''] = plans;
  assert.match(found, /bank_entries_by_payout_reference/, found);
  // A reference that the bank cut: only among the entries of a month.
  assert.match(cut, /Index Cond: .*dated >= /, cut);
  assert.doesNotMatch(found + cut, /Seq Scan/, found + cut);
});
