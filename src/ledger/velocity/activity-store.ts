// Reads what accounts lately did from the books themselves, where what is kept on their rows does not decide.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { integer } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { type ActivityWindow, type Run, SUBJECT, singleRun } from './activity-window.ts';

const AT = '(extract(epoch from m.at) * 1000)::bigint as at';

// A seq is never before the instant of its movement, so the index finds all that can matter; what a clock that went back left
// among them comes along, and windows leave it out. Of an account with more postings than $3 the newest are looked at, and
// what is told begins there.
const RECENT_SQL = `select asked.id, bottom.seq, done.type, done.amount, done.at
  from unnest($1::text[], $2::bigint[]) as asked (id, after)
  cross join lateral (select coalesce((select seq from postings where account_id = asked.id and seq > asked.after * 1000
      order by seq desc limit 1 offset $3::bigint), asked.after * 1000) as seq) bottom
  left join lateral (select p.seq, m.type, m.amount, m.at from (select seq, movement_id from postings
      where account_id = asked.id and seq > bottom.seq order by seq offset 0) p
    cross join lateral (select type, amount, ${AT}, ${SUBJECT} as subject
      from movements m where m.id = p.movement_id limit 1) m
    where m.subject = asked.id) done on true
  order by asked.id, done.seq`;

// Agents, processors, partners and the house have a part in many payments that are about a wallet. Those that are about
// none are few, and have an index of their own (0016).
const WITHOUT_WALLET = `from movements m where not starts_with(m.from_account, 'sub_') and not starts_with(m.to_account, 'sub_')
  and case when starts_with(m.from_account, 'agent_') or starts_with(m.from_account, 'proc_')
    then m.from_account else m.to_account end = asked.id`;

const RECENT_WITHOUT_WALLET_SQL = `select asked.id, bottom.seq, done.type, done.amount, done.at
  from unnest($1::text[], $2::bigint[]) as asked (id, after)
  cross join lateral (select coalesce((select (extract(epoch from m.at) * 1000000)::bigint ${WITHOUT_WALLET}
      and m.at > to_timestamp(asked.after::double precision / 1000) order by m.at desc limit 1 offset $3::bigint),
    asked.after * 1000) as seq) bottom
  left join lateral (select m.id, m.type, m.amount, ${AT} ${WITHOUT_WALLET}
    and m.at > to_timestamp(bottom.seq::double precision / 1000000) order by m.at offset 0) done on true
  order by asked.id, done.at, done.id`;

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
export const RECENT_WITHOUT_WALLET = statement('ledger-recent-without-wallet', RECENT_WITHOUT_WALLET_SQL, recentRow);

/** A quarter of a second: it is read while others wait for the same accounts. */
const MOST_POSTINGS = 40_000;

/** All that was posted about these accounts after the instant, one by one, or as far back as can be read in good time. */
export async function readRecents(
  runner: StatementRunner,
  accountIds: readonly string[],
  after: number,
): Promise<Map<string, ActivityWindow>> {
  const { wallets = [], others = [] } = Object.groupBy(accountIds, (id) =>
    id.startsWith('sub_') ? 'wallets' : 'others',
  );
  const most = Math.floor(MOST_POSTINGS / Math.max(1, accountIds.length));
  const found = new Map<string, ActivityWindow & { runs: Run[] }>(
    accountIds.map((id) => [id, { since: after, runs: [] }]),
  );
  for (const [statement, ids] of [
    [RECENT, wallets],
    [RECENT_WITHOUT_WALLET, others],
  ] as const) {
    if (ids.length === 0) continue;
    const values = [textArray(ids), int8Array(ids.map(() => after)), most];
    for (const row of await runner.run(statement, values)) add(found, row);
  }
  return found;
}

function add(found: Map<string, ActivityWindow & { runs: Run[] }>, { accountId, bottom, run }: RecentRow): void {
  const recent = found.get(accountId);
  if (!recent) return;
  recent.since = Math.floor(bottom / 1_000);
  if (run) recent.runs.push(run);
}
