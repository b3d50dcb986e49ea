// Queries on the counts of wrong passwords: per name and guesser, per name and day, and per name, network and day.
import { sql } from 'kysely';
import type { Queries } from '../../../db/database.ts';

export interface CountedAttempt {
  /** Includes this attempt. */
  attempts: number;
  windowStartedAt: Date;
}

/** Counts one attempt. Starts a new window if the current one began at or before `since`. */
export async function countAttempt(
  queries: Queries,
  { email, guesser, now, since }: { email: string; guesser: string; now: Date; since: Date },
): Promise<CountedAttempt> {
  const { rows } = await sql<{ failures: number; window_started_at: Date }>`
    insert into login_attempts as known (email, guesser, failures, window_started_at)
    values (lower(${email}), ${guesser}, 1, ${now})
    on conflict (email, guesser) do update set
      failures = case when known.window_started_at <= ${since} then 1 else least(known.failures + 1, 1000000) end,
      window_started_at = case when known.window_started_at <= ${since} then ${now} else known.window_started_at end
    returning failures, window_started_at`.execute(queries);
  const [row] = rows;
  if (!row) throw new Error('an attempt was not counted');
  return { attempts: row.failures, windowStartedAt: row.window_started_at };
}

export async function uncountAttempt(queries: Queries, email: string, guessers: string[]): Promise<void> {
  await sql`update login_attempts set failures = failures - 1
    where email = lower(${email}) and guesser = any (${guessers}) and failures > 0`.execute(queries);
}

export async function clearAttempts(queries: Queries, email: string, guessers: string[]): Promise<void> {
  const counts = queries.deleteFrom('login_attempts').where('email', '=', sql<string>`lower(${email})`);
  await counts.where('guesser', 'in', guessers).execute();
}

/** Forgets the attempts of all guessers on all days. */
export async function forgetAttempts(trx: Queries, email: string): Promise<void> {
  await sql`delete from login_attempts where email = lower(${email})`.execute(trx);
  await sql`delete from login_network_days where email = lower(${email})`.execute(trx);
  await sql`delete from login_failure_days where email = lower(${email})`.execute(trx);
}

/** Returns the number of attempts from the network on the day, this one included. `day`: 2026-11-18. */
export async function countOfNetwork(queries: Queries, email: string, network: string, day: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into login_network_days as known (email, day, network, failures) values (lower(${email}), ${day}, ${network}, 1)
    on conflict (email, day, network) do update set failures = least(known.failures + 1, 1000000)
    returning failures`.execute(queries);
  return failuresIn(rows);
}

/** The same over all networks. */
export async function countOnDay(queries: Queries, email: string, day: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into login_failure_days as known (email, day, failures) values (lower(${email}), ${day}, 1)
    on conflict (email, day) do update set failures = least(known.failures + 1, 1000000)
    returning failures`.execute(queries);
  return failuresIn(rows);
}

function failuresIn([row]: readonly { failures: number }[]): number {
  if (!row) throw new Error('an attempt was not counted');
  return row.failures;
}

/** For the network and across all networks. */
export async function uncountOnDay(queries: Queries, email: string, network: string, day: string): Promise<void> {
  await sql`update login_network_days set failures = failures - 1
    where email = lower(${email}) and day = ${day} and network = ${network} and failures > 0`.execute(queries);
  await sql`update login_failure_days set failures = failures - 1
    where email = lower(${email}) and day = ${day} and failures > 0`.execute(queries);
}

/** True once a day. */
export async function markTold(trx: Queries, email: string, day: string): Promise<boolean> {
  const { rows } = await sql`update login_failure_days set told = true
    where email = lower(${email}) and day = ${day} and not told returning day`.execute(trx);
  return rows.length > 0;
}

export async function deleteAttemptsBefore(queries: Queries, since: Date, day: string): Promise<number> {
  const windows = await queries.deleteFrom('login_attempts').where('window_started_at', '<=', since).executeTakeFirst();
  const days = await sql`delete from login_failure_days where day < ${day}`.execute(queries);
  const ofNetworks = await sql`delete from login_network_days where day < ${day}`.execute(queries);
  return Number(windows.numDeletedRows + (days.numAffectedRows ?? 0n) + (ofNetworks.numAffectedRows ?? 0n));
}
