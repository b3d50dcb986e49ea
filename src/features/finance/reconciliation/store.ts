// Queries on matches, items and suggestions.
import { type SqlBool, sql } from 'kysely';
import { isDistributed } from '../../../db/citus/queries.ts';
import type { DatabaseTransaction, Queries } from '../../../db/database.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';
import { BOOK_CLEARS } from './book-items.ts';

export type MatchRow = Row<'reconciliation_matches'>;
export type SuggestionRow = Row<'reconciliation_suggestions'>;
export type Side = 'bank' | 'books';

/** A match's items, by their ids. */
export interface ItemIds {
  bankIds: readonly string[];
  bookIds: readonly string[];
}

export interface OpenItem {
  side: Side;
  id: string;
  /** YYYY-MM-DD. */
  date: string;
  amount: number;
  /** The match, or the pay-out whose return is about to take it. Null: the item can be matched. */
  takenBy: string | null;
  matchId: string | null;
  suggestionId: string | null;
  wasUndone: boolean;
  /** What a match with it moves from pay-outs in transit to the treasury. */
  clears: number;
}

/**
 * Changes of matches and items wait for each other, and are numbered. They find the items by index: without statistics, the
 * planner would read all of them for every batch of a run.
 */
export async function lockItems(trx: DatabaseTransaction): Promise<void> {
  await sql`update reconciliation_progress set changes = changes + 1
    returning set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('enable_seqscan', 'off', true)`.execute(trx);
}

/** The number of the change that the transaction makes, after lockItems. */
const THIS_CHANGE = sql<number>`(select changes from reconciliation_progress)`;

/** Movements before this instant are archived. Read after lockItems, and not remembered (see app/archive.ts). */
export async function archivedBefore(trx: Queries): Promise<Date | null> {
  const newest = trx.selectFrom('ledger_archives').select((row) => row.fn.max('before').as('before'));
  return (await newest.executeTakeFirstOrThrow()).before;
}

/** Whether all of these movements are in the database, and since the instant. */
export async function areSince(trx: Queries, instant: Date, movementIds: string[]): Promise<boolean> {
  const movements = trx.selectFrom('movements').select((row) => row.fn.countAll<number>().as('count'));
  const found = movements.where('id', 'in', movementIds).where('at', '>=', instant);
  return movementIds.length === 0 || (await found.executeTakeFirstOrThrow()).count === movementIds.length;
}

/** The return of a pay-out that is about to be posted takes an item like a match. */
const TAKEN_BY = sql`coalesce(i.match_id, (select c.payout_id from payout_return_claims c
  where c.side = i.side and c.item_id = i.item_id))`;

/** Archived movements clear nothing: an archive has no pay-out that is not matched, and its match is not undone. */
export async function readItems(queries: Queries, { bankIds, bookIds }: ItemIds): Promise<OpenItem[]> {
  const clearing = isDistributed(queries) ? await clearingOf(queries, bookIds) : null;
  const clears = clearing
    ? sql`0::bigint`
    : sql`coalesce((select ${sql.raw(BOOK_CLEARS)} from movements m where i.side = 'books' and m.id = i.item_id), 0)`;
  const { rows } =
    await sql<OpenItem>`select i.side, i.item_id as id, i.dated::text as date, i.amount, i.match_id as "matchId",
      ${TAKEN_BY} as "takenBy", i.suggestion_id as "suggestionId", i.was_undone as "wasUndone", ${clears} as clears
    from reconciliation_items i
    where (i.side = 'bank' and i.item_id = any(${[...bankIds]})) or (i.side = 'books' and i.item_id = any(${[...bookIds]}))`.execute(
      queries,
    );
  return clearing ? rows.map((item) => ({ ...item, clears: clearing.get(item.id) ?? 0 })) : rows;
}

/** On a cluster the items are on the coordinator and the movements on workers. */
async function clearingOf(queries: Queries, bookIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; clears: number }>`select m.id, ${sql.raw(BOOK_CLEARS)} as clears
    from movements m where m.id = any(${[...bookIds]})`.execute(queries);
  return new Map(rows.map(({ id, clears }) => [id, clears]));
}

export type NewMatch = Omit<MatchRow, `undone_${string}` | `${string}cleared_transaction_id` | 'made_change'>;

/** Arrays instead of one parameter per value, of which a statement has 65,535 at most. */
export async function insertMatches(trx: Queries, rows: readonly NewMatch[]): Promise<MatchRow[]> {
  const column = <Name extends keyof NewMatch>(name: Name) => rows.map((row) => row[name]);
  // Ids consist of letters, digits and underscores.
  const lists = (name: 'bank_entry_ids' | 'transaction_ids') => rows.map((row) => `{${row[name].join()}}`);
  const inserted =
    await sql<MatchRow>`insert into reconciliation_matches (id, kind, status, bank_entry_ids, transaction_ids,
      bank_amount, books_amount, clears, note, created_by, run_id, created_at, made_change)
    select id, kind, status, bank_entry_ids::text[], transaction_ids::text[], bank_amount, books_amount, clears, note, created_by,
      run_id, created_at, ${THIS_CHANGE}
    from unnest(${column('id')}::text[], ${column('kind')}::text[], ${column('status')}::text[],
      ${lists('bank_entry_ids')}::text[], ${lists('transaction_ids')}::text[], ${column('bank_amount')}::bigint[],
      ${column('books_amount')}::bigint[], ${column('clears')}::bigint[], ${column('note')}::text[],
      ${column('created_by')}::text[], ${column('run_id')}::text[], ${column('created_at')}::timestamptz[])
      as new (id, kind, status, bank_entry_ids, transaction_ids, bank_amount, books_amount, clears, note, created_by, run_id,
        created_at)
    returning *`.execute(trx);
  return inserted.rows;
}

/** Their suggestions end, including for the other items suggested with them. */
export async function takeItems(trx: Queries, matches: readonly MatchRow[]): Promise<void> {
  const pairs = matches.flatMap(({ id, status, bank_entry_ids, transaction_ids }) => [
    ...bank_entry_ids.map((item) => ['bank', item, id, status] as const),
    ...transaction_ids.map((item) => ['books', item, id, status] as const),
  ]);
  const column = (index: 0 | 1 | 2 | 3) => pairs.map((pair) => pair[index] as string);
  await sql`with taken as (
      select i.suggestion_id from reconciliation_items i
      join unnest(${column(0)}::text[], ${column(1)}::text[]) as t (side, item_id) using (side, item_id)
      where i.suggestion_id is not null),
    ended as (delete from reconciliation_suggestions where id in (select suggestion_id from taken) returning id)
    update reconciliation_items set status = 'unmatched', suggestion_id = null
    where suggestion_id in (select id from ended)`.execute(trx);
  const { numAffectedRows } = await sql`update reconciliation_items i
    set status = t.status, match_id = t.match_id, suggestion_id = null
    from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[])
      as t (side, item_id, match_id, status)
    where i.side = t.side and i.item_id = t.item_id and i.match_id is null`.execute(trx);
  if (Number(numAffectedRows) !== pairs.length) throw new Error("a match's item has already been taken");
}

export async function releaseItems(trx: Queries, matchId: string): Promise<void> {
  const change = { status: 'unmatched', match_id: null, was_undone: true } as const;
  await trx.updateTable('reconciliation_items').set(change).where('match_id', '=', matchId).execute();
}

export function findMatch(queries: Queries, id: string): Promise<MatchRow | undefined> {
  return queries.selectFrom('reconciliation_matches').selectAll().where('id', '=', id).executeTakeFirst();
}

export function lockMatch(trx: Queries, id: string): Promise<MatchRow | undefined> {
  return trx.selectFrom('reconciliation_matches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** In the order of their ids, so that two gateways cannot deadlock. */
export function lockMatches(trx: Queries, ids: string[]): Promise<MatchRow[]> {
  const matches = trx.selectFrom('reconciliation_matches').selectAll().where('id', 'in', ids);
  return matches.orderBy('id').forUpdate().execute();
}

export async function enterMovements(
  trx: Queries,
  column: 'cleared_transaction_id' | 'uncleared_transaction_id',
  movements: readonly { id: string; transactionId: string }[],
): Promise<MatchRow[]> {
  const { rows } = await sql<MatchRow>`update reconciliation_matches m set ${sql.ref(column)} = posted.transaction_id
    from unnest(${movements.map(({ id }) => id)}::text[], ${movements.map(({ transactionId }) => transactionId)}::text[])
      as posted (id, transaction_id) where m.id = posted.id returning m.*`.execute(trx);
  return rows;
}

export function undoMatch(trx: Queries, id: string, by: Pick<MatchRow, 'undone_by' | 'undone_at'>): Promise<MatchRow> {
  return trx
    .updateTable('reconciliation_matches')
    .set({ status: 'undone', ...by, undone_change: THIS_CHANGE })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Matches whose movements are not posted yet, made before the given time. */
export async function unpostedMatches(queries: Queries, until: Date, limit: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('reconciliation_matches')
    .select('id')
    .where(
      sql<SqlBool>`clears <> 0 and (cleared_transaction_id is null or (status = 'undone' and uncleared_transaction_id is null))`,
    )
    .where((eb) => eb(eb.fn.coalesce('undone_at', 'created_at'), '<=', until))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export function findSuggestion(queries: Queries, id: string): Promise<SuggestionRow | undefined> {
  return queries.selectFrom('reconciliation_suggestions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists count up to this many records: a count of all would read them all. */
export const COUNT_LIMIT = 100_000;

export async function listSuggestions(
  queries: Queries,
  { limit, offset, after }: Page,
): Promise<{ rows: SuggestionRow[]; total: number }> {
  let selection = queries.selectFrom('reconciliation_suggestions').selectAll();
  if (after) selection = selection.where('id', '>', after);
  const rows = await selection.orderBy('id').limit(limit).offset(offset).execute();
  const counted = await sql<{ total: number }>`select count(*) as total from
    (select from reconciliation_suggestions limit ${COUNT_LIMIT}) first`.execute(queries);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Newest first. */
export async function listMatches(
  queries: Queries,
  status: MatchRow['status'] | undefined,
  { limit, offset, after }: Page,
): Promise<{ rows: MatchRow[]; total: number }> {
  let selection = queries.selectFrom('reconciliation_matches');
  if (status !== undefined) selection = selection.where('status', '=', status);
  const first = selection.select('id').limit(COUNT_LIMIT).as('first');
  const counted = await queries.selectFrom(first).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  if (after) selection = selection.where('id', '<', after);
  const rows = await selection.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { rows, total: counted.total };
}
