// An account's postings of a period, oldest first, as they stood when they were first asked for.
import type { Pool } from 'pg';
import { entryOf, type HistoryEntry, type HistoryRow } from './account-history.ts';

/** Fixed once read: an account's postings are appended in the order of seq, so nothing joins below the last one. */
export interface Period {
  accountId: string;
  opening: number;
  closing: number;
  /** The first posting's seq is at least this, the last one's is exactly `lastSeq` or there is none. */
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
  /** Opening balance, closing balance and what lies between, from one instant. */
  period(query: PeriodQuery): Promise<Period>;
  totals(period: Period): Promise<PeriodTotals>;
  /** Oldest first, page by page: memory holds one page, however long the period. */
  pages(period: Period, pageSize: number): AsyncGenerator<HistoryEntry[]>;
}

const PERIOD = `select
    (select balance_after from postings where account_id = $1 and seq < $2 order by seq desc limit 1) as opening,
    last.seq, last.balance_after as closing
  from (select 1) always left join lateral
    (select seq, balance_after from postings where account_id = $1 and seq < $3 order by seq desc limit 1) last on true`;

const TOTALS = `select count(*) as count,
    coalesce(sum(amount) filter (where amount > 0), 0)::bigint as credits,
    coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as debits
  from postings where account_id = $1 and seq >= $2 and seq <= $3`;

// Of metadata only what a statement shows: what came with a credit by a partner's system.
const PAGE = `select p.seq, p.movement_id, p.amount as change, p.fee, p.balance_after, m.*
  from (select * from postings where account_id = $1 and seq >= $2 and seq <= $3 order by seq limit $4) p
  cross join lateral (
    select type, amount, from_account, to_account, narration, request_id, reference,
      case when type = 'inbound_credit' then metadata::text end as metadata, at
    from movements where id = p.movement_id limit 1) m
  order by p.seq`;

interface PeriodRow {
  opening: number | null;
  seq: number | null;
  closing: number | null;
}

export function createStatements(pool: Pool): Statements {
  return {
    async period({ accountId, from, to }) {
      const firstSeq = from * 1_000;
      const values = [accountId, firstSeq, (to + 1) * 1_000];
      const { rows } = await pool.query<PeriodRow>({ text: PERIOD, values });
      const { opening, seq, closing } = rows[0] ?? { opening: null, seq: null, closing: null };
      return { accountId, opening: opening ?? 0, closing: closing ?? 0, firstSeq, lastSeq: seq ?? 0 };
    },
    async totals({ accountId, firstSeq, lastSeq }) {
      const { rows } = await pool.query<PeriodTotals>({ text: TOTALS, values: [accountId, firstSeq, lastSeq] });
      return rows[0] ?? { count: 0, credits: 0, debits: 0 };
    },
    async *pages({ accountId, firstSeq, lastSeq }, pageSize) {
      for (let from = firstSeq; from <= lastSeq; ) {
        const values = [accountId, from, lastSeq, pageSize];
        const { rows } = await pool.query<HistoryRow>({ name: 'ledger-statement', text: PAGE, values });
        const last = rows.at(-1);
        if (!last) return;
        yield rows.map(entryOf);
        from = last.seq + 1;
      }
    },
  };
}
