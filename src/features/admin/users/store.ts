// Queries on the users table.
import { sql } from 'kysely';
import { passwordMatches } from '../../../auth/passwords.ts';
import { countedPage, type Listed } from '../../../db/counted-page.ts';
import type { Queries } from '../../../db/database.ts';
import { equal } from '../../../db/list-filter.ts';
import type { NewRow, Row, RowChange } from '../../../db/schema/tables.ts';
import type { Page } from '../../../http/paging.ts';

export type UserRow = Row<'users'>;

export interface UserFilter {
  role?: string;
  status?: UserRow['status'];
  hasSecondFactor?: boolean;
  /** Part of the email, a name or the phone number. */
  search?: string;
}

export function findUser(queries: Queries, id: string): Promise<UserRow | undefined> {
  return queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(queries: Queries, email: string): Promise<UserRow | undefined> {
  const byEmail = queries.selectFrom('users').selectAll().where(sql`lower(email)`, '=', sql`lower(${email})`);
  return byEmail.executeTakeFirst();
}

/** A wrong password, an unknown user and an inactive one are indistinguishable to the caller, even by the time they take. */
export async function userWithPassword(queries: Queries, email: string, password: string): Promise<UserRow | null> {
  const user = await findUserByEmail(queries, email);
  const matches = await passwordMatches(password, user?.password_hash ?? null);
  return user && matches && user.status === 'active' ? user : null;
}

/** The agent's or processor's user with this number, inactive users excluded. An index makes sure that there is one at most. */
export function findOwnedUserByPhone(queries: Queries, phoneNumber: string): Promise<UserRow | undefined> {
  return queries
    .selectFrom('users')
    .selectAll()
    .where('phone_number', '=', phoneNumber)
    .where((eb) => eb.or([eb('agent_id', 'is not', null), eb('processor_id', 'is not', null)]))
    .where('status', '<>', 'inactive')
    .executeTakeFirst();
}

/** Locks the user until the transaction ends, so that changes, logins and refreshes of this user wait. */
export function lockUser(trx: Queries, id: string): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The agent or processor that a login belongs to; staff logins have none. */
export type Owner = { agent_id: string } | { processor_id: string };

/** Locks the owner's users in id order, so that two transactions cannot deadlock. */
export function lockUsersOf(trx: Queries, owner: Owner): Promise<UserRow[]> {
  const users = trx.selectFrom('users').selectAll();
  const owned =
    'agent_id' in owner
      ? users.where('agent_id', '=', owner.agent_id)
      : users.where('processor_id', '=', owner.processor_id);
  return owned.orderBy('id').forUpdate().execute();
}

/**
 * Locks all active administrators in id order, so that two transactions cannot deadlock. The second one sees the
 * changes of the first.
 */
export async function lockActiveAdmins(trx: Queries): Promise<string[]> {
  const admins = trx.selectFrom('users').select('id').where('role', '=', 'system_admin').where('status', '=', 'active');
  return (await admins.orderBy('id').forUpdate().execute()).map((admin) => admin.id);
}

/** Undefined if the email is taken. Emails are case-insensitive. */
export function insertUser(trx: Queries, user: NewRow<'users'>): Promise<UserRow | undefined> {
  return trx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateUser(trx: Queries, id: string, changes: RowChange<'users'>): Promise<UserRow> {
  return trx.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function hasUsers(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Serializes gateways that start at the same time on an empty database. */
export async function lockUsersTable(trx: Queries): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(trx);
}

const SEARCH_TEXT = sql<string>`lower(email || ' ' || first_name || ' ' || last_name || ' ' || coalesce(phone_number, ''))`;

/** Newest first. */
export function listUsers(
  queries: Queries,
  { role, status, hasSecondFactor, search }: UserFilter,
  page: Page,
): Promise<Listed<UserRow>> {
  const filters = equal({ role, status });
  if (hasSecondFactor !== undefined) {
    filters.push(hasSecondFactor ? sql`second_factor_at is not null` : sql`second_factor_at is null`);
  }
  // strpos instead of like, because the search text may contain % and _.
  if (search !== undefined) filters.push(sql`strpos(${SEARCH_TEXT}, lower(${search})) > 0`);
  return countedPage(queries, { table: 'users', filters }, page);
}
