// Queries of a run: its row, and the suggestions that it replaces.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row, RowChange } from '../../../db/schema/tables.ts';
import type { SuggestionRow } from './store.ts';

export type RunRow = Row<'reconciliation_runs'>;

/** Undefined if another run holds the lease: the unique index allows one that is running. */
export async function beginRun(
  trx: Queries,
  row: NewRow<'reconciliation_runs'>,
  now: Date,
): Promise<RunRow | undefined> {
  await trx
    .updateTable('reconciliation_runs')
    .set({ status: 'failed', finished_at: now })
    .where('status', '=', 'running')
    .where('lease_until', '<', now)
    .execute();
  return trx
    .insertInto('reconciliation_runs')
    .values(row)
    .onConflict((conflict) => conflict.column('status').where('status', '=', 'running').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Throws if another gateway took over after the lease had expired. */
export async function extendLease(queries: Queries, id: string, until: Date): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('reconciliation_runs')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error(`the run ${id} lost its lease`);
}

export function endRun(queries: Queries, id: string, change: RowChange<'reconciliation_runs'>): Promise<RunRow> {
  return queries
    .updateTable('reconciliation_runs')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const PAGE = 5_000;

export async function allSuggestions(queries: Queries): Promise<SuggestionRow[]> {
  const all: SuggestionRow[] = [];
  for (let after = ''; ; ) {
    const page = await queries
      .selectFrom('reconciliation_suggestions')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    all.push(...page);
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return all;
  }
}

export async function storeSuggestions(trx: Queries, rows: NewRow<'reconciliation_suggestions'>[]): Promise<void> {
  if (rows.length === 0) return;
  await trx.insertInto('reconciliation_suggestions').values(rows).execute();
  const ids = rows.map(({ id }) => id);
  await sql`update reconciliation_items i set status = 'suggested', suggestion_id = s.id
    from (select id, 'bank' as side, unnest(bank_entry_ids) as item_id from reconciliation_suggestions where id = any(${ids})
      union all select id, 'books', unnest(transaction_ids) from reconciliation_suggestions where id = any(${ids})) s
    where i.side = s.side and i.item_id = s.item_id and i.match_id is null`.execute(trx);
}

export async function removeSuggestions(trx: Queries, ids: string[]): Promise<void> {
  await trx.deleteFrom('reconciliation_suggestions').where('id', 'in', ids).execute();
  await trx
    .updateTable('reconciliation_items')
    .set({ status: 'unmatched', suggestion_id: null })
    .where('suggestion_id', 'in', ids)
    .execute();
}
