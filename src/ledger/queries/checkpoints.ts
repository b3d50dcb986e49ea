// Checkpoints: running sums of an account's postings, written in the background or by the query that misses them.
import { textOrNull, texts } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { SECOND_MS } from '../../kernel/clock.ts';

export interface Checkpoints {
  /** One round over the accounts that always have checkpoints, within its time limit; returns how many were written. */
  write(stopping?: AbortSignal): Promise<number>;
  /** The checkpoints of one account, within the time that a waiting request has. */
  catchUp(accountId: string): Promise<void>;
}

export interface CheckpointOptions {
  /** Postings between two checkpoints. */
  every?: number;
  /** Accounts per statement. */
  pageSize?: number;
  roundMs?: number;
  waitMs?: number;
  /** A monotonic clock, in milliseconds. */
  now?(): number;
}

/** Reading the postings between two checkpoints takes a few milliseconds, or some tens if they are not in memory. */
export const EVERY_POSTINGS = 1_000;
const PAGE_SIZE = 1_000;
const ROUND_MS = 10 * SECOND_MS;
const WAIT_MS = 500;

/** The columns of a checkpoint, summed over postings. */
export const SUMMANDS = (postings: string) => `
  select m.type, m.from_account = $1 as paid, 1 as count, m.amount, p.fee, p.amount as change, p.seq as newest
  from (${postings}) p
  cross join lateral (select type, amount, from_account from movements where id = p.movement_id limit 1) m`;

// Writes the next checkpoint if enough postings have been added since the last. Two gateways that run this at once find the
// same checkpoint; one writes it, and both report it.
const BASE = `base as materialized (select coalesce(
    (select seq from account_checkpoints where account_id = $1 order by seq desc limit 1), 0) as seq)`;
const CHECKPOINT_COLUMNS = 'type, paid, count, amount, fee, change, newest';
const SUMMED = 's.type, s.paid, sum(s.count), sum(s.amount), sum(s.fee), sum(s.change), max(s.newest)';

export const NEXT_CHECKPOINT = onCitus(
  statement(
    'ledger-checkpoint',
    `with ${BASE},
  due as materialized (select p.seq from base cross join lateral (
    select seq from postings where account_id = $1 and seq > base.seq order by seq limit 1 offset $2 - 1) p),
  written as (
    insert into account_checkpoints (account_id, seq, ${CHECKPOINT_COLUMNS}) select $1, due.seq, ${SUMMED}
    from base cross join due cross join lateral (
      select ${CHECKPOINT_COLUMNS} from account_checkpoints
      where account_id = $1 and seq = base.seq
      union all ${SUMMANDS('select * from postings where account_id = $1 and seq > base.seq and seq <= due.seq')}) s
    group by due.seq, s.type, s.paid on conflict do nothing)
  select seq from due`,
  ),
  // A transaction becomes visible on one server after the other: a checkpoint is not written while a movement is missing.
  `with ${BASE},
  due as materialized (select seq from postings where account_id = $1 and seq > (select seq from base)
    order by seq limit 1 offset $2 - 1),
  page as materialized (select seq, movement_id, amount, fee from postings
    where account_id = $1 and seq > (select seq from base) and seq <= (select seq from due)),
  added as materialized (
    select m.type, m.from_account = $1 as paid, 1 as count, m.amount, page.fee, page.amount as change, page.seq as newest
    from page join movements m on m.id = page.movement_id),
  known as materialized (
    select ${CHECKPOINT_COLUMNS} from account_checkpoints where account_id = $1 and seq = (select seq from base))
  insert into account_checkpoints (account_id, seq, ${CHECKPOINT_COLUMNS}) select $1, (select seq from due), ${SUMMED}
  from (select * from known union all select * from added) s
  where exists (select 1 from due) and (select count(*) from page) = (select count(*) from added)
  group by s.type, s.paid on conflict do nothing returning seq`,
);

// A page of accounts by id, and which of them are due. Wallets have few postings; their checkpoints are written when needed. Constant cost per page.
const ACCOUNTS = `page as materialized (
    select id, posting_count from accounts
    where kind in ('processor', 'agent_float', 'partner_clearing') and id > $1 and ($2::text is null or id <= $2)
    order by id limit $3)`;

export const DUE_OF_PAGE = onCitus(
  statement(
    'ledger-checkpoints-due',
    `with ${ACCOUNTS} select (select id from page order by id desc limit 1), array(
    select page.id from page cross join lateral (
      select coalesce(sum(count), 0) as count from account_checkpoints c
      where c.account_id = page.id and c.seq = (
        select seq from account_checkpoints where account_id = page.id order by seq desc limit 1)) counted
    where page.posting_count >= $4::bigint and page.posting_count >= counted.count + $4::bigint order by page.id)`,
    ([last, due]) => ({ last: textOrNull(last), due: texts(due) }),
  ),
  `with ${ACCOUNTS},
  newest as materialized (select account_id, max(seq) as seq from account_checkpoints
    where account_id in (select id from page) group by account_id),
  counted as materialized (select c.account_id, sum(c.count) as count
    from account_checkpoints c join newest n on n.account_id = c.account_id and n.seq = c.seq group by c.account_id)
  select (select id from page order by id desc limit 1), array(
    select page.id from page left join counted on counted.account_id = page.id
    where page.posting_count >= $4::bigint + coalesce(counted.count, 0) order by page.id)`,
);

interface DuePage {
  /** Null: this was the last page. */
  last: string | null;
  due: string[];
}

export function createCheckpoints(pool: StatementRunner, options: CheckpointOptions = {}): Checkpoints {
  const { every = EVERY_POSTINGS, pageSize = PAGE_SIZE, roundMs = ROUND_MS, waitMs = WAIT_MS } = options;
  const now = options.now ?? (() => performance.now());
  /** Where the next round continues: the last account that was processed. */
  let reached = '';
  const catchingUp = new Map<string, Promise<number>>();

  async function writeNext(accountId: string): Promise<boolean> {
    return (await pool.run(NEXT_CHECKPOINT, [accountId, every])).length > 0;
  }

  /** At least one, so that a short time limit still makes progress. */
  async function writeUntil(isOver: () => boolean, accountId: string): Promise<number> {
    let written = 0;
    while (await writeNext(accountId)) {
      written += 1;
      if (isOver()) break;
    }
    return written;
  }

  async function duePage(after: string, upTo: string | null): Promise<DuePage> {
    const [page] = await pool.run(DUE_OF_PAGE, [after, upTo, pageSize, every]);
    return page ?? { last: null, due: [] };
  }

  async function* pages(after: string, upTo: string | null): AsyncGenerator<DuePage> {
    for (let from: string | null = after; from !== null; ) {
      const page = await duePage(from, upTo);
      yield page;
      from = page.last;
    }
  }

  /** All accounts once, starting after the last one of the previous round. */
  async function* allPages(): AsyncGenerator<DuePage> {
    const begin = reached;
    yield* pages(begin, null);
    if (begin !== '') yield* pages('', begin);
  }

  async function writePage({ due, last }: DuePage, isOver: () => boolean, failures: unknown[]): Promise<number> {
    let written = 0;
    for (const id of due) {
      try {
        written += await writeUntil(isOver, id);
      } catch (error) {
        // An account that fails does not prevent the others, in this round or the next.
        failures.push(error);
      }
      reached = id;
      if (isOver()) return written;
    }
    // Wraps around after the last account.
    reached = last ?? '';
    return written;
  }

  return {
    async write(stopping) {
      const until = now() + roundMs;
      const isOver = () => stopping?.aborted === true || now() >= until;
      const failures: unknown[] = [];
      let written = 0;
      for await (const page of allPages()) {
        written += await writePage(page, isOver, failures);
        if (isOver()) break;
      }
      if (failures.length > 0) throw failures[0];
      return written;
    },
    async catchUp(accountId) {
      const until = now() + waitMs;
      const writing = catchingUp.get(accountId) ?? writeUntil(() => now() >= until, accountId);
      catchingUp.set(accountId, writing);
      await writing.finally(() => catchingUp.delete(accountId));
    },
  };
}
