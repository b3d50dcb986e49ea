// Whether two users are independent: neither got the other's login into its hands alone.
import { sql } from 'kysely';
import type { Queries } from '../db/database.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { holdersByKey } from './key-holders.ts';

const CHANGES_COUNT_MS = 30 * DAY_MS;

/** Fields of a user whose change gives its author a way into the login, or makes the login one that decides. */
const TYING_FIELDS = ['password', 'phone_number', 'email', 'role', 'status'];

/**
 * Read from the audit log, whose entries nobody can change, in the transaction of the decision, which has locked both users.
 * An author's authors count too: someone who creates a user that creates another has both logins. A creation counts for
 * good, because the login may have been used ever since.
 */
export async function areIndependent(trx: Queries, [one, other]: readonly [string, string], now: number) {
  return (await tiedTo(trx, one, [other], now)).size === 0;
}

/** Those of the others who are not independent of this user. All are read together, for lists and counts. */
export async function tiedTo(
  trx: Queries,
  one: string,
  others: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set();
  const authors = await authorsOfEach(trx, [one, ...others], now);
  return new Set(others.filter((other) => authors(one).has(other) || authors(other).has(one)));
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
  const authors = await authorsOfEach(trx, ids, now);
  const isTied = (one: string, other: string) => authors(one).has(other) || authors(other).has(one);
  return ids.some((one, place) => ids.slice(place + 1).some((other) => !isTied(one, other)));
}

/** All users who made or changed each login without a third one, directly or through a user that they made or changed. */
async function authorsOfEach(trx: Queries, userIds: readonly string[], now: number) {
  const direct = new Map<string, string[]>();
  let next = [...new Set(userIds)];
  while (next.length > 0) {
    for (const id of next) direct.set(id, []);
    const found = await directAuthors(trx, next, new Date(now - CHANGES_COUNT_MS));
    for (const { user, author } of found) direct.get(user)?.push(author);
    next = [...new Set(found.map(({ author }) => author))].filter((id) => !direct.has(id));
  }
  return (userId: string): ReadonlySet<string> => {
    const authors = new Set(direct.get(userId));
    // A set that grows while it is walked is walked to its end.
    for (const author of authors) for (const id of direct.get(author) ?? []) authors.add(id);
    return authors;
  };
}

/**
 * An entry is in the inbox or in the log, never in both. The approval of one of the two users is not a third user's. What
 * an API key did counts for the users who hold its secret.
 */
async function directAuthors(trx: Queries, ids: readonly string[], since: Date) {
  const { rows } = await sql<{ user: string; actor_type: string; actor_id: string }>`
    select distinct resource_id as "user", actor_type, actor_id from (
      select at, actor_type, actor_id, action, resource_type, resource_id, details from audit_log
      union all select at, actor_type, actor_id, action, resource_type, resource_id, details from audit_inbox) entry
    where resource_id = any(${[...ids]}) and resource_type = 'user' and actor_type in ('user', 'key')
      and action in ('user.create', 'user.update', 'user.reset_password', 'user.reset_second_factor')
      and actor_id <> resource_id
      and (action = 'user.create' or at > ${since} and (action in ('user.reset_password', 'user.reset_second_factor')
        or action = 'user.update' and details -> 'fields' ?| ${TYING_FIELDS}))
      and coalesce(details ->> 'approved_by', actor_id) in (actor_id, resource_id)`.execute(trx);
  const byUsers = rows.filter(({ actor_type }) => actor_type === 'user');
  const byKeys = rows.filter(({ actor_type }) => actor_type === 'key');
  const holders = await holdersByKey(trx, [...new Set(byKeys.map(({ actor_id }) => actor_id))]);
  return [
    ...byUsers.map(({ user, actor_id }) => ({ user, author: actor_id })),
    ...byKeys.flatMap(({ user, actor_id }) =>
      holders.filter(({ key }) => key === actor_id).map(({ holder }) => ({ user, author: holder })),
    ),
  ];
}
