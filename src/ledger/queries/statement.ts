// An account's postings in a period, oldest first, fixed at the time of the first read.
import { integer, integerOrNull } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { sqlType } from '../movement-types.ts';
import { entryOf, type HistoryEntry } from './account-history.ts';

/** Postings are appended in the order of seq, so a period that has been read does not change below its last posting. */
export interface Period {
  accountId: string;
  opening: number;
  closing: number;
  /** The lower bound of seq. The last posting is exactly `lastSeq`, or there is none. */
  firstSeq: number;
  lastSeq: number;
}

export interface PeriodQuery {
  accountId: string;
  /** Inclusive instants in milliseconds. */
  from: number;
  to: number;
}

export interface PeriodTotals {
  count: number;
  credits: number;
  debits: number;
}

export interface Statements {
  /** Opening balance, closing balance and totals, read at one instant. */
  period(query: PeriodQuery): Promise<Period>;
  totals(period: Period): Promise<PeriodTotals>;
  /** Oldest first, one page in memory at a time. */
  pages(period: Period, pageSize: number): AsyncGenerator<HistoryEntry[]>;
}

const PERIOD = statement(
  'ledger-period',
  `select
    (select balance_after from postings where account_id = $1 and seq < $2 order by seq desc limit 1) as opening,
    last.seq, last.balance_after as closing
  from (select 1) always left join lateral
    (select seq, balance_after from postings where account_id = $1 and seq < $3 order by seq desc limit 1) last on true`,
  ([opening, seq, closing]) => ({
    opening: integerOrNull(opening) ?? 0,
    lastSeq: integerOrNull(seq) ?? 0,
    closing: integerOrNull(closing) ?? 0,
  }),
);

const TOTALS = statement(
  'ledger-period-totals',
  `select count(*), coalesce(sum(amount) filter (where amount > 0), 0), coalesce(-sum(amount) filter (where amount < 0), 0)
  from postings where account_id = $1 and seq >= $2 and seq <= $3`,
  ([count, credits, debits]) => ({ count: integer(count), credits: integer(credits), debits: integer(debits) }),
);

// Only the metadata that a statement shows: that of a partner's credit.
const PAGE = statement(
  'ledger-statement',
  `select p.seq, p.movement_id, p.amount, p.fee, p.balance_after, m.*
  from (select * from postings where account_id = $1 and seq >= $2 and seq <= $3 order by seq limit $4) p
  cross join lateral (
    select type, amount, from_account, to_account, narration, request_id, reference,
      case when type = ${sqlType('inbound_credit')} then metadata::text end as metadata, at
    from movements where id = p.movement_id limit 1) m
  order by p.seq`,
  entryOf,
);

const EMPTY = { opening: 0, lastSeq: 0, closing: 0 };

export function createStatements(pool: StatementRunner): Statements {
  return {
    async period({ accountId, from, to }) {
      const firstSeq = from * 1_000;
      const [period = EMPTY] = await pool.run(PERIOD, [accountId, firstSeq, (to + 1) * 1_000]);
      return { accountId, firstSeq, ...period };
    },
    async totals({ accountId, firstSeq, lastSeq }) {
      const [totals] = await pool.run(TOTALS, [accountId, firstSeq, lastSeq]);
      return totals ?? { count: 0, credits: 0, debits: 0 };
    },
    async *pages({ accountId, firstSeq, lastSeq }, pageSize) {
      for (let from = firstSeq; from <= lastSeq; ) {
        const entries = await pool.run(PAGE, [accountId, from, lastSeq, pageSize]);
        const last = entries.at(-1);
        if (!last) return;
        yield entries;
        from = last.seq + 1;
      }
    },
  };
}
