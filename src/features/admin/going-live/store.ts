// Queries on the confirmations before going live.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';

export interface Confirmation extends Row<'going_live_confirmations'> {
  confirmed_by_name: string | null;
}

export function listConfirmations(queries: Queries): Promise<Confirmation[]> {
  return queries
    .selectFrom('going_live_confirmations as c')
    .leftJoin('users as u', 'u.id', 'c.confirmed_by')
    .select(['c.item', 'c.note', 'c.confirmed_by', 'c.confirmed_at'])
    .select(sql<string | null>`u.first_name || ' ' || u.last_name`.as('confirmed_by_name'))
    .execute();
}

/** Replaces an earlier confirmation. */
export async function saveConfirmation(trx: Queries, row: NewRow<'going_live_confirmations'>): Promise<void> {
  const { item: _, ...columns } = row;
  const inserted = trx.insertInto('going_live_confirmations').values(row);
  await inserted.onConflict((known) => known.column('item').doUpdateSet(columns)).execute();
}

/** Undefined if it was not confirmed. */
export function deleteConfirmation(trx: Queries, item: string): Promise<Row<'going_live_confirmations'> | undefined> {
  return trx.deleteFrom('going_live_confirmations').where('item', '=', item).returningAll().executeTakeFirst();
}
