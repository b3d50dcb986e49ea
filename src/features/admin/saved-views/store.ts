// Queries on saved views.
import { type SqlBool, sql } from 'kysely';
import type { UserCaller } from '../../../auth/caller.ts';
import type { Queries } from '../../../db/database.ts';
import type { NewRow, Row } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export interface SavedView extends Row<'saved_views'> {
  owner_name: string | null;
}

/** The number of the user's views. Until the transaction ends, the user's other requests for a new view wait. */
export async function lockedCount(trx: Queries, userId: string): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const counted = trx.selectFrom('saved_views').select(sql<number>`count(*)`.as('total')).where('user_id', '=', userId);
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** False if the user has a view of the screen with the same name. */
export async function insertView(trx: Queries, view: NewRow<'saved_views'>): Promise<boolean> {
  const inserted = await trx
    .insertInto('saved_views')
    .values(view)
    .onConflict((conflict) => conflict.columns(['user_id', 'screen', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function findView(queries: Queries, id: string): Promise<SavedView> {
  return views(queries).where('v.id', '=', id).executeTakeFirstOrThrow();
}

/** Undefined if the user has no such view. */
export function deleteView(trx: Queries, userId: string, id: string): Promise<Row<'saved_views'> | undefined> {
  return trx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** The user's own views, and those that users with the same role share; newest first. */
export async function listViews(
  queries: Queries,
  { id: userId, role }: Pick<UserCaller, 'id' | 'role'>,
  screen: string | undefined,
  { limit, offset, after }: Page,
): Promise<{ rows: SavedView[]; total: number }> {
  let visible = views(queries).where(
    sql<SqlBool>`(v.user_id = ${userId} or v.shared and u.role = ${role} and u.status = 'active')`,
  );
  if (screen !== undefined) visible = visible.where('v.screen', '=', screen);
  const counted = queries.selectFrom(visible.as('visible')).select(sql<number>`count(*)`.as('total'));
  const page = (after ? visible.where('v.id', '<', after) : visible)
    .orderBy('v.id', 'desc')
    .limit(limit)
    .offset(offset);
  return { rows: await page.execute(), total: (await counted.executeTakeFirstOrThrow()).total };
}

function views(queries: Queries) {
  return queries
    .selectFrom('saved_views as v')
    .innerJoin('users as u', 'u.id', 'v.user_id')
    .select(['v.id', 'v.user_id', 'v.name', 'v.screen', 'v.query', 'v.shared', 'v.created_at'])
    .select(sql<string | null>`u.first_name || ' ' || u.last_name`.as('owner_name'));
}
