// Whether two users are independent: neither got the other's login into its hands alone.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { keyHolders } from './key-holders.ts';

const CHANGES_COUNT_MS = 30 * DAY_MS;

/** Fields of a user whose change gives its author a way into the login, or makes the login one that decides. */
const TYING_FIELDS = ['password', 'phone_number', 'email', 'role', 'status'];

/**
 * Read from the audit log, whose entries nobody can change, in the transaction of the decision, which has locked both users.
 * An author's authors count too: someone who creates a user that creates another has both logins. A creation counts for
 * good, because the login may have been used ever since.
 */
export async function areIndependent(trx: Queries, [one, other]: readonly [string, string], now: number) {
  const [ofOne, ofOther] = [await authorsOf(trx, one, now), await authorsOf(trx, other, now)];
  return !ofOne.has(other) && !ofOther.has(one);
}

/** Whether each user is somebody else than all of the others, and independent of them. */
export async function areIndependentOf(
  trx: Queries,
  userIds: readonly string[],
  others: readonly string[],
  now: number,
): Promise<boolean> {
  for (const one of new Set(userIds)) {
    for (const other of new Set(others)) {
      if (one === other || !(await areIndependent(trx, [one, other], now))) return false;
    }
  }
  return true;
}

/** Whether any two of these users are independent. */
export async function someAreIndependent(trx: Queries, ids: readonly string[], now: number): Promise<boolean> {
  const authors = new Map<string, ReadonlySet<string>>();
  for (const id of ids) authors.set(id, await authorsOf(trx, id, now));
  const isTied = (one: string, other: string) => authors.get(one)?.has(other) || authors.get(other)?.has(one);
  return ids.some((one, place) => ids.slice(place + 1).some((other) => !isTied(one, other)));
}

/** All users who made or changed the login without a third one, directly or through a user that they made or changed. */
async function authorsOf(trx: Queries, userId: string, now: number): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let next = [userId];
  while (next.length > 0) {
    const direct = await directAuthors(trx, next, new Date(now - CHANGES_COUNT_MS));
    next = direct.filter((id) => !found.has(id));
    for (const id of next) found.add(id);
  }
  return found;
}

/**
 * An entry is in the inbox or in the log, never in both. The approval of one of the two users is not a third user's. What
 * an API key did counts for the users who hold its secret.
 */
async function directAuthors(trx: Queries, ids: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ actor_type: string; actor_id: string }>`
    select distinct actor_type, actor_id from (
      select at, actor_type, actor_id, action, resource_type, resource_id, details from audit_log
      union all select at, actor_type, actor_id, action, resource_type, resource_id, details from audit_inbox) entry
    where resource_id = any(${[...ids]}) and resource_type = 'user' and actor_type in ('user', 'key')
      and actor_id <> resource_id
      and (action = 'user.create' or at > ${since} and (action in ('user.reset_password', 'user.reset_second_factor')
        or action = 'user.update' and details -> 'fields' ?| ${TYING_FIELDS}))
      and coalesce(details ->> 'approved_by', actor_id) in (actor_id, resource_id)`.execute(trx);
  const actorsOf = (type: string) => rows.filter((row) => row.actor_type === type).map(({ actor_id }) => actor_id);
  return [...actorsOf('user'), ...(await keyHolders(trx, actorsOf('key')))];
}
