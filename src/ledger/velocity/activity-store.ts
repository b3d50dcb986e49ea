// Reads the recent activity of accounts from the postings, for when the activity windows on their rows do not decide.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { integer } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../db/driver/statement.ts';
import type { Subject } from '../types.ts';
import { type ActivityWindow, type Run, singleRun } from './activity-window.ts';
import { BETWEEN_BUSINESSES } from './subject.ts';

const AT = '(extract(epoch from m.at) * 1000)::bigint as at';

// For a wallet: the payments it made, and those it received from accounts other than wallets.
// A seq is never before its movement's instant, so the index finds every movement in the window. After the clock went
// back it may also find older ones, which the window leaves out. If an account has more than $3 postings, only the newest $3
// are read, and the window begins there.
const postingsOfWallet = (counts: string) => `select requested.id, bottom.seq, payment.type, payment.amount, payment.at
  from unnest($1::text[], $2::bigint[]) as requested (id, after)
  cross join lateral (select coalesce((select seq from postings where account_id = requested.id and seq > requested.after * 1000
      order by seq desc limit 1 offset $3::bigint), requested.after * 1000) as seq) bottom
  left join lateral (select p.seq, m.type, m.amount, m.at from (select seq, movement_id from postings
      where account_id = requested.id and seq > bottom.seq order by seq offset 0) p
    cross join lateral (select type, amount, ${AT}, from_account, to_account from movements m where m.id = p.movement_id limit 1) m
    ${counts}) payment on true
  order by requested.id, payment.seq`;

const RECENT_SQL = postingsOfWallet(`left join lateral
      (select kind from accounts where id = m.from_account and id <> requested.id limit 1) payer on true
    where payer.kind is distinct from 'wallet'`);

// The payments that a wallet received.
const RECEIVED_SQL = postingsOfWallet('where m.to_account = requested.id');

// Agents, processors and partners take part in many payments that count for a wallet. The few that count for them have
// their own index.
const RECENT_OF_BUSINESS_SQL = `select requested.id, bottom.seq, payment.type, payment.amount, payment.at
  from unnest($1::text[], $2::bigint[]) as requested (id, after)
  cross join lateral (select coalesce((select (extract(epoch from m.at) * 1000000)::bigint ${BETWEEN_BUSINESSES}
      and m.at > to_timestamp(requested.after::double precision / 1000) order by m.at desc limit 1 offset $3::bigint),
    requested.after * 1000) as seq) bottom
  left join lateral (select m.id, m.type, m.amount, ${AT} ${BETWEEN_BUSINESSES}
    and m.at > to_timestamp(bottom.seq::double precision / 1000000) order by m.at offset 0) payment on true
  order by requested.id, payment.at, payment.id`;

interface RecentRow {
  accountId: string;
  bottom: number;
  /** Null: nothing was posted. */
  run: Run | null;
}

function recentRow([id, bottom, type, amount, at]: Columns): RecentRow {
  const run = type == null ? null : singleRun(type, integer(at), integer(amount));
  return { accountId: id as string, bottom: integer(bottom), run };
}

export const RECENT = statement('ledger-recent', RECENT_SQL, recentRow);
export const RECEIVED_OF_WALLET = statement('ledger-received', RECEIVED_SQL, recentRow);
export const RECENT_OF_BUSINESS = statement('ledger-recent-of-business', RECENT_OF_BUSINESS_SQL, recentRow);

/** Reads the payments of these accounts after the instant, each as one run, as far back as MAX_POSTINGS allows. */
export type ActivityReader = (
  column: 'recent' | 'received',
  runner: StatementRunner,
  accounts: readonly Subject[],
  after: number,
) => Promise<Map<string, ActivityWindow>>;

/** Reading this many takes a quarter of a second, while other payments wait for the locks on these accounts. */
export const MAX_POSTINGS = 40_000;

export const readActivity: ActivityReader = async (column, runner, accounts, after) => {
  const limit = Math.floor(MAX_POSTINGS / Math.max(1, accounts.length));
  const found = new Map<string, ActivityWindow & { runs: Run[] }>(
    accounts.map(({ id }) => [id, { since: after, runs: [] }]),
  );
  for (const statement of column === 'received' ? [RECEIVED_OF_WALLET] : [RECENT, RECENT_OF_BUSINESS]) {
    const read = accounts.filter(({ kind }) => (kind === 'wallet') === (statement !== RECENT_OF_BUSINESS));
    const ids = read.map(({ id }) => id);
    if (ids.length === 0) continue;
    const values = [textArray(ids), int8Array(ids.map(() => after)), limit];
    for (const row of await runner.run(statement, values)) add(found, row);
  }
  return found;
};

function add(found: Map<string, ActivityWindow & { runs: Run[] }>, { accountId, bottom, run }: RecentRow): void {
  const recent = found.get(accountId);
  if (!recent) return;
  recent.since = Math.floor(bottom / 1_000);
  if (run) recent.runs.push(run);
}
