// Queries on the table of one-time PEP codes and the access they opened.
import { sql } from 'kysely';
import { afterWrongCode, NO_CODE } from '../../../auth/one-time-codes.ts';
import type { Queries } from '../../../db/database.ts';
import type { Row } from '../../../db/schema/tables.ts';

export type AccessRow = Row<'pep_access'>;

/** Call after locking the user. A logout does not lock the user, so this lock orders it before or after the caller. */
export function lockAccess(trx: Queries, userId: string): Promise<AccessRow | undefined> {
  return trx.selectFrom('pep_access').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst();
}

type NewCode = Omit<AccessRow, 'open_until'>;

/** Replaces the previous code. */
export async function saveCode(trx: Queries, code: NewCode): Promise<void> {
  const { user_id: _, ...columns } = code;
  await trx
    .insertInto('pep_access')
    .values({ ...code, open_until: null })
    .onConflict((known) => known.column('user_id').doUpdateSet(columns))
    .execute();
}

/** Counts a wrong attempt; the last one ends the code. Returns the attempts left. */
export async function countWrongCode(trx: Queries, access: AccessRow): Promise<number> {
  const change = afterWrongCode(access);
  await trx.updateTable('pep_access').set(change).where('user_id', '=', access.user_id).execute();
  return change.tries_left;
}

/** Opens access and consumes the code. */
export async function openAccess(trx: Queries, userId: string, until: Date): Promise<void> {
  const change = { ...NO_CODE, open_until: until };
  await trx.updateTable('pep_access').set(change).where('user_id', '=', userId).execute();
}

/** Ends access and invalidates the code that could open it. */
export async function closeAccess(trx: Queries, userId: string): Promise<void> {
  const change = { ...NO_CODE, open_until: null };
  const known = trx.updateTable('pep_access').set(change).where('user_id', '=', userId);
  await known.where(sql<boolean>`(open_until is not null or code_hash is not null)`).execute();
}
