// Which subscribers are politically exposed persons, and the table of codes and of access that was opened with them.
import { type Selectable, sql } from 'kysely';
import { batchLoader, type Load } from '../../../db/batch-loader.ts';
import type { Queries } from '../../../db/database.ts';
import { textArray } from '../../../db/driver/binary-arrays.ts';
import type { Reader } from '../../../db/driver/reader.ts';
import type { PepAccessTable } from '../../../db/schema/tables.ts';

export type AccessRow = Selectable<PepAccessTable>;

const PEPS = `select asked.id from unnest($1::text[]) as asked (id)
  cross join lateral (select 1 from subscribers where id = asked.id and is_pep limit 1) pep`;

const OPEN = `select asked.id, a.open_until from unnest($1::text[]) as asked (id)
  cross join lateral (select open_until from pep_access where user_id = asked.id limit 1) a`;

/** Of any id; what is no subscriber's is no PEP's. */
export function pepById(reader: Reader): Load<string, boolean> {
  return batchLoader({
    async fetch(ids: string[]) {
      const values = [textArray([...new Set(ids)])];
      const { rows } = await reader.query<{ id: string }>({ name: 'pep-by-id', text: PEPS, values });
      const peps = new Set(rows.map(({ id }) => id));
      return ids.map((id) => peps.has(id));
    },
  });
}

/** Until when a user's access is open; null: it is not. */
export function openUntil(reader: Reader): Load<string, Date | null> {
  return batchLoader({
    async fetch(userIds: string[]) {
      const query = { name: 'pep-access', text: OPEN, values: [textArray([...new Set(userIds)])] };
      const { rows } = await reader.query<{ id: string; open_until: Date | null }>(query);
      const until = new Map(rows.map(({ id, open_until }) => [id, open_until]));
      return userIds.map((id) => until.get(id) ?? null);
    },
  });
}

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
