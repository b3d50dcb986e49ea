// The table of one-time codes for PEP accounts, and of the access they opened.
import { type Selectable, sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';
import type { PepAccessTable } from '../../../db/schema/tables.ts';

export type AccessRow = Selectable<PepAccessTable>;

/** Locked, after the user: a logout, which does not lock the user, ends access before what is decided here or after it. */
export function lockAccess(trx: Queries, userId: string): Promise<AccessRow | undefined> {
  return trx.selectFrom('pep_access').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst();
}

type NewCode = Omit<AccessRow, 'open_until'>;

/** In place of the code before it. */
export async function saveCode(trx: Queries, code: NewCode): Promise<void> {
  const { user_id: _, ...columns } = code;
  await trx
    .insertInto('pep_access')
    .values({ ...code, open_until: null })
    .onConflict((known) => known.column('user_id').doUpdateSet(columns))
    .execute();
}

const NO_CODE = { code_salt: null, code_hash: null, code_expires_at: null, tries_left: 0 };

/** The last wrong one ends the code. */
export async function spendTry(trx: Queries, { user_id, tries_left }: AccessRow): Promise<number> {
  const left = tries_left - 1;
  const change = left === 0 ? NO_CODE : { tries_left: left };
  await trx.updateTable('pep_access').set(change).where('user_id', '=', user_id).execute();
  return left;
}

/** The code is used up with it. */
export async function openAccess(trx: Queries, userId: string, until: Date): Promise<void> {
  const change = { ...NO_CODE, open_until: until };
  await trx.updateTable('pep_access').set(change).where('user_id', '=', userId).execute();
}

/** Ends access and whatever code could still open it. */
export async function closeAccess(trx: Queries, userId: string): Promise<void> {
  const change = { ...NO_CODE, open_until: null };
  const known = trx.updateTable('pep_access').set(change).where('user_id', '=', userId);
  await known.where(sql<boolean>`(open_until is not null or code_hash is not null)`).execute();
}
