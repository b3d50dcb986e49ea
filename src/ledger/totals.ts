// What the postings of one account come to over a period, by type and direction: exact, of one instant, and as fast on
// the millionth posting as on the first.
import type { Pool } from 'pg';
import { type HistoryQuery, rangeOf } from './reading.ts';

export interface TypeTotals {
  type: string;
  /** Whether the account paid; otherwise it was paid. */
  paid: boolean;
  count: number;
  /** What the movements were about, without fees. */
  amount: number;
  /** What of the fees this account bore. */
  fee: number;
  /** Signed: what they did to the balance. */
  change: number;
  /** The seq of the newest one. */
  newest: number;
}

export type TotalsQuery = Pick<HistoryQuery, 'accountId' | 'type' | 'from' | 'to'>;

export interface AccountTotals {
  /** One for each type and direction there is. */
  byType(query: TotalsQuery): Promise<TypeTotals[]>;
}

export interface Checkpoints {
  /** Writes those that are due, of the accounts that have them; returns how many. */
  write(): Promise<number>;
}

const LAST_BEFORE = (bound: string) => `(
  select coalesce((select seq from account_checkpoints where account_id = $1 and seq < ${bound} order by seq desc limit 1), 0))`;

/** Everything up to a bound: the last checkpoint before it, and the postings since. */
const SUMMED = (base: string, bound: string) => `
  select type, paid, count, amount, fee, change, newest from account_checkpoints where account_id = $1 and seq = ${base}
  union all
  select m.type, m.from_account = $1, 1, m.amount, p.fee, p.amount, p.seq
  from (select * from postings where account_id = $1 and seq > ${base} and seq < ${bound}) p
  cross join lateral (select type, amount, from_account from movements where id = p.movement_id limit 1) m`;

// What there was at the end less what there was at the beginning, in one statement: both are of the same instant.
export const TOTALS = `select s.type, s.paid, sum(bound.sign * s.count)::bigint as count,
    sum(bound.sign * s.amount)::bigint as amount, sum(bound.sign * s.fee)::bigint as fee,
    sum(bound.sign * s.change)::bigint as change, max(s.newest) as newest
  from (values ($2::bigint, 1), ($3::bigint, -1)) as bound (seq, sign)
  cross join lateral (select ${LAST_BEFORE('bound.seq')} as seq) base
  cross join lateral (${SUMMED('base.seq', 'bound.seq')}) s
  where $4::text is null or s.type = $4
  group by s.type, s.paid having sum(bound.sign * s.count) > 0`;

// The next one, if that many postings have come since the last. Of two gateways that do this at once both write the same.
export const NEXT_CHECKPOINT = `insert into account_checkpoints
    (account_id, seq, type, paid, count, amount, fee, change, newest)
  select $1, due.seq, s.type, s.paid, sum(s.count), sum(s.amount), sum(s.fee), sum(s.change), max(s.newest)
  from (select ${LAST_BEFORE(String(Number.MAX_SAFE_INTEGER))} as seq) base
  cross join lateral (
    select seq from postings where account_id = $1 and seq > base.seq order by seq limit 1 offset $2 - 1) due
  cross join lateral (${SUMMED('base.seq', 'due.seq + 1')}) s
  group by due.seq, s.type, s.paid on conflict do nothing`;

const DUE = `select a.id from accounts a
  cross join lateral (select coalesce(sum(count), 0) as count from account_checkpoints c
    where c.account_id = a.id and c.seq = (
      select seq from account_checkpoints where account_id = a.id order by seq desc limit 1)) counted
  where a.kind = 'processor' and a.posting_count >= counted.count + $1 limit $2`;

export function createAccountTotals(pool: Pool): AccountTotals {
  return {
    async byType(query) {
      const { rows } = await pool.query<TypeTotals>({ name: 'ledger-totals', text: TOTALS, values: rangeOf(query) });
      return rows;
    },
  };
}

/** A few milliseconds of reading lie between two of them. */
const EVERY_POSTINGS = 2_000;
/** So that a round ends within seconds; what is left is due in the next one. */
const AT_ONCE = 100;

export function createCheckpoints(pool: Pool, every = EVERY_POSTINGS): Checkpoints {
  return {
    async write() {
      let written = 0;
      const { rows } = await pool.query<{ id: string }>(DUE, [every, AT_ONCE]);
      for (const { id } of rows) {
        let wrote = true;
        while (wrote && written < AT_ONCE) {
          const { rowCount } = await pool.query({
            name: 'ledger-checkpoint',
            text: NEXT_CHECKPOINT,
            values: [id, every],
          });
          wrote = (rowCount ?? 0) > 0;
          if (wrote) written += 1;
        }
      }
      return written;
    },
  };
}
