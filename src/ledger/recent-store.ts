// Reads what accounts lately did from the postings themselves, where what is kept on their rows does not decide.
import type { ClientBase } from 'pg';
import { int8Array, textArray } from '../db/arrays.ts';
import { type Recent, type Run, SUBJECT, singleRun } from './recent.ts';
import { knownRecents } from './recent-book.ts';
import type { Account, Movement } from './types.ts';

// A seq is never before the instant of its movement, so the index finds all that can matter; what a clock that went back left
// among them comes along, and windows leave it out.
export const RECENT = `select asked.id, m.type, m.amount, m.at
  from unnest($1::text[], $2::bigint[]) as asked (id, after)
  cross join lateral (select seq, movement_id from postings
    where account_id = asked.id and seq > asked.after * 1000 order by seq offset 0) p
  cross join lateral (select type, amount, (extract(epoch from m.at) * 1000)::bigint as at, ${SUBJECT} as subject
    from movements m where m.id = p.movement_id limit 1) m
  where m.subject = asked.id order by asked.id, p.seq`;

type RecentRow = [accountId: string, type: string, amount: number, at: number];

/** All that was posted about these accounts after the instant, one by one. */
export async function readRecents(
  client: Pick<ClientBase, 'query'>,
  accountIds: readonly string[],
  after: number,
): Promise<Map<string, Recent>> {
  const values = [textArray(accountIds), int8Array(accountIds.map(() => after))];
  const query = { name: 'ledger-recent', text: RECENT, values, rowMode: 'array' as const };
  const { rows } = await client.query<RecentRow>(query);
  const runs = new Map<string, Run[]>(accountIds.map((id) => [id, []]));
  for (const [id, type, amount, at] of rows) runs.get(id)?.push(singleRun(type, at, amount));
  return new Map([...runs].map(([id, each]) => [id, { since: after, runs: each }]));
}

/**
 * What the accounts of a batch lately did, known well enough for all of its rules. Their rows were locked before, so
 * nothing is added meanwhile. Nearly always they tell, and nothing is asked.
 */
export async function recentsOf(
  client: ClientBase,
  accounts: ReadonlyMap<string, Account>,
  batch: readonly Movement[],
  now: number,
): Promise<ReadonlyMap<string, Recent>> {
  const { recents, unsure, after } = knownRecents(accounts, batch, now);
  if (unsure.length === 0) return recents;
  for (const [id, recent] of await readRecents(client, unsure, after)) recents.set(id, recent);
  return recents;
}
