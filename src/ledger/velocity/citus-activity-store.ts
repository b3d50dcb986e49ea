// Reads the recent activity of accounts on a Citus cluster: their postings, which are on one shard, then the movements by id.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../db/driver/statement.ts';
import type { Subject } from '../types.ts';
import { type ActivityReader, MAX_POSTINGS } from './activity-store.ts';
import { type ActivityWindow, singleRun } from './activity-window.ts';
import { COUNTED_FOR } from './subject.ts';

interface Payment {
  id: string;
  type: string;
  amount: number;
  /** Milliseconds since 1970. */
  at: number;
  from: string;
  to: string;
}

const POSTINGS = statement(
  'ledger-recent',
  'select seq, movement_id from postings where account_id = $1 and seq > $2::bigint order by seq desc limit $3::bigint',
  ([seq, movementId]) => ({ seq: integer(seq), movementId: text(movementId) }),
);

const COLUMNS = 'm.id, m.type, m.amount, (extract(epoch from m.at) * 1000)::bigint, m.from_account, m.to_account';

const MOVEMENTS = statement(
  'ledger-recent-movements',
  `select ${COLUMNS} from movements m where m.id = any($1::text[])`,
  paymentOf,
);

const BETWEEN_BUSINESSES = statement(
  'ledger-recent-of-business',
  `select ${COLUMNS} from movements m where ${COUNTED_FOR('$1')} and m.at > to_timestamp($2::double precision / 1000)
  order by m.at desc, m.id desc limit $3::bigint`,
  paymentOf,
);

const WALLETS = statement(
  'ledger-wallets',
  `select id from accounts where id = any($1::text[]) and kind = 'wallet'`,
  ([id]) => text(id),
);

function paymentOf([id, type, amount, at, from, to]: Columns): Payment {
  return { id: text(id), type: text(type), amount: integer(amount), at: integer(at), from: text(from), to: text(to) };
}

export const readActivityOnCitus: ActivityReader = async (column, runner, accounts, after) => {
  const limit = Math.floor(MAX_POSTINGS / Math.max(1, accounts.length));
  const found = new Map<string, ActivityWindow>();
  for (const account of accounts) {
    if (account.kind === 'wallet') found.set(account.id, await ofWallet(column, runner, account, after, limit));
    else if (column === 'recent') found.set(account.id, await ofBusiness(runner, account, after, limit));
    else found.set(account.id, { since: after, runs: [] });
  }
  return found;
};

async function ofWallet(
  column: 'recent' | 'received',
  runner: StatementRunner,
  { id }: Subject,
  after: number,
  limit: number,
): Promise<ActivityWindow> {
  const postings = await runner.run(POSTINGS, [id, after * 1_000, limit + 1]);
  const { seq: bottom = after * 1_000 } = postings[limit] ?? {};
  const ids = postings.slice(0, limit).map(({ movementId }) => movementId);
  const movements = new Map((await runner.run(MOVEMENTS, [textArray(ids)])).map((each) => [each.id, each]));
  // A commit reaches one server after the other: the batch is tried again instead of counting too little.
  if (movements.size < new Set(ids).size) throw new Error(`movements of ${id} are not visible on all servers yet`);
  const payments = ids.flatMap((movementId) => movements.get(movementId) ?? []).reverse();
  const counted = column === 'received' ? payments.filter(({ to }) => to === id) : await ofPayer(runner, id, payments);
  return windowOf(bottom, counted);
}

/** The payments it made, and those it received from accounts other than wallets. */
async function ofPayer(runner: StatementRunner, id: string, payments: Payment[]): Promise<Payment[]> {
  const wallets = await walletsAmong(
    runner,
    payments.map(({ from }) => from).filter((from) => from !== id),
  );
  return payments.filter(({ from }) => !wallets.has(from));
}

async function ofBusiness(
  runner: StatementRunner,
  { id }: Subject,
  after: number,
  limit: number,
): Promise<ActivityWindow> {
  const payments = await runner.run(BETWEEN_BUSINESSES, [id, after, limit + 1]);
  const bottom = (payments[limit]?.at ?? after) * 1_000;
  const wallets = await walletsAmong(
    runner,
    payments.map(({ to }) => to),
  );
  const counted = payments.filter(({ at, to }) => at * 1_000 > bottom && !wallets.has(to));
  return windowOf(bottom, counted.reverse());
}

async function walletsAmong(runner: StatementRunner, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set(await runner.run(WALLETS, [textArray([...new Set(ids)])]));
}

/** `bottom`: in microseconds. */
function windowOf(bottom: number, payments: readonly Payment[]): ActivityWindow {
  const runs = payments.map(({ type, at, amount }) => singleRun(type, at, amount));
  return { since: Math.floor(bottom / 1_000), runs };
}
