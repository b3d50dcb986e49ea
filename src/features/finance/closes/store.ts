// Rows of daily closes and of the public keys that signed them.
import { sql } from 'kysely';
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import type { Condition } from '../../../db/list-filter.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type CloseRow = Row<'closes'>;
export type CloseKeyRow = Row<'close_keys'>;

export async function lastClose(queries: Queries): Promise<CloseRow | undefined> {
  return queries.selectFrom('closes').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
}

/** The last day that was closed; null: none. A correction does not change it. */
export async function lastClosedDay(queries: Queries): Promise<string | null> {
  const { rows } = await sql<{ date: string | null }>`select max(date)::text as date from closes`.execute(queries);
  return rows[0]?.date ?? null;
}

/** The one that counts: the day's last correction, or its close. */
export async function closeOfDay(queries: Queries, date: string): Promise<CloseRow | undefined> {
  const ofDay = queries.selectFrom('closes').selectAll().where('date', '=', date);
  return ofDay.orderBy('number', 'desc').limit(1).executeTakeFirst();
}

export async function closeById(queries: Queries, id: string): Promise<CloseRow | undefined> {
  return queries.selectFrom('closes').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface CloseFilter {
  from?: string | undefined;
  to?: string | undefined;
}

/** Newest first. */
export function listCloses(queries: Queries, { from, to }: CloseFilter, page: Page): Promise<Listed<CloseRow>> {
  const filters = [
    ...(from === undefined ? [] : [sql`date >= ${from}`]),
    ...(to === undefined ? [] : [sql`date <= ${to}`]),
  ];
  return countedPage(queries, { table: 'closes', filters, order: sql`number desc`, after: afterClose }, page);
}

function afterClose(id: string | null | undefined): Condition[] {
  return id ? [sql`number < (select number from closes where id = ${id})`] : [];
}

export async function insertClose(trx: Queries, row: CloseRow): Promise<void> {
  await trx.insertInto('closes').values(row).execute();
}

/** Returns whether the key is new. */
export async function insertKey(trx: Queries, row: CloseKeyRow): Promise<boolean> {
  const inserted = trx
    .insertInto('close_keys')
    .values(row)
    .onConflict((existing) => existing.doNothing());
  return (await inserted.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
}

export async function allKeys(queries: Queries): Promise<CloseKeyRow[]> {
  return queries.selectFrom('close_keys').selectAll().orderBy('created_at').orderBy('id').execute();
}

export async function keyById(queries: Queries, id: string): Promise<CloseKeyRow | undefined> {
  return queries.selectFrom('close_keys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The time of the first movement; null: there is none. Ids are time-ordered. */
export async function firstMovementAt(queries: Queries): Promise<number | null> {
  const first = queries.selectFrom('movements').select('at').orderBy('id').limit(1);
  return (await first.executeTakeFirst())?.at.getTime() ?? null;
}
