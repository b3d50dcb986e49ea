// Reading the books: balances, history by cursor, and what a balance was at a past instant.
import type { Pool } from 'pg';
import { batchLoader, type Load } from '../db/batch.ts';
import type { Reader } from '../db/reader.ts';

export interface AccountFigures {
  balance: number;
  /** What the balance may come to; null: no bound. */
  floor: number | null;
  ceiling: number | null;
  /** Nothing new may move on it. */
  frozen: boolean;
  postingCount: number;
  /** The instant of the newest posting; null when there is none. */
  lastPostedAt: Date | null;
}

export interface HistoryEntry {
  seq: number;
  movementId: string;
  type: string;
  /** Signed: what it did to the account. */
  change: number;
  /** What the movement was about, without fees. */
  amount: number;
  fee: number;
  balanceAfter: number;
  fromAccount: string;
  toAccount: string;
  narration: string | null;
  requestId: string | null;
  reference: string | null;
  /** JSON text, as it was sent; null when there is none. */
  metadata: string | null;
  at: Date;
}

export interface HistoryQuery {
  accountId: string;
  type?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Only what is older than this seq. */
  before?: number;
  limit: number;
  offset?: number;
}

export interface Books {
  figures: Load<string, AccountFigures | null>;
  /** Newest first. */
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  historyCount(query: HistoryQuery): Promise<number>;
  /** The balance after everything up to and including the instant. */
  balanceAt(accountId: string, instant: number): Promise<number>;
}

const FIGURES = `select a.* from unnest($1::text[]) as asked (id) cross join lateral (
    select id, balance, floor, ceiling, frozen, posting_count, last_seq from accounts where id = asked.id limit 1) a`;

// Walks the primary key from the cursor down: as fast on the millionth posting as on the first.
const HISTORY = `select p.seq, p.movement_id, p.amount as change, p.fee, p.balance_after, m.*
  from (select * from postings where account_id = $1 and seq < $2 and seq >= $3) p
  cross join lateral (
    select type, amount, from_account, to_account, narration, request_id, reference, metadata::text, at
    from movements where id = p.movement_id and ($4::text is null or type = $4) limit 1) m
  order by p.seq desc limit $5 offset $6`;

const COUNT = `select count(*) as count from postings p
  where p.account_id = $1 and p.seq < $2 and p.seq >= $3 and ($4::text is null or exists (
    select 1 from movements m where m.id = p.movement_id and m.type = $4))`;

const BALANCE_AT = `select balance_after from postings where account_id = $1 and seq < $2 order by seq desc limit 1`;

interface FiguresRow {
  id: string;
  balance: number;
  floor: number | null;
  ceiling: number | null;
  frozen: boolean;
  posting_count: number;
  last_seq: number;
}

export interface HistoryRow {
  seq: number;
  movement_id: string;
  type: string;
  change: number;
  amount: number;
  fee: number;
  balance_after: number;
  from_account: string;
  to_account: string;
  narration: string | null;
  request_id: string | null;
  reference: string | null;
  metadata: string | null;
  at: Date;
}

export function createBooks({ pool, reader }: { pool: Pool; reader: Reader }): Books {
  return {
    figures: batchLoader({
      async fetch(ids: string[]) {
        const values = [[...new Set(ids)]];
        const { rows } = await reader.query<FiguresRow>({ name: 'ledger-figures', text: FIGURES, values });
        const found = new Map(rows.map((row) => [row.id, figuresOf(row)]));
        return ids.map((id) => found.get(id) ?? null);
      },
    }),
    async history(query) {
      const values = [...rangeOf(query), query.limit, query.offset ?? 0];
      const { rows } = await pool.query<HistoryRow>({ name: 'ledger-history', text: HISTORY, values });
      return rows.map(entryOf);
    },
    async historyCount(query) {
      const { rows } = await pool.query<{ count: number }>({ text: COUNT, values: rangeOf(query) });
      return rows[0]?.count ?? 0;
    },
    async balanceAt(accountId, instant) {
      const values = [accountId, (instant + 1) * 1_000];
      const { rows } = await pool.query<{ balance_after: number }>({ text: BALANCE_AT, values });
      return rows[0]?.balance_after ?? 0;
    },
  };
}

/** Instants as bounds of seq, which is microseconds: [from, to] becomes [from, to + 1 ms). */
export function rangeOf({ accountId, type, from, to, before }: Omit<HistoryQuery, 'limit' | 'offset'>): unknown[] {
  const upper = to === undefined ? Number.MAX_SAFE_INTEGER : (to + 1) * 1_000;
  return [accountId, Math.min(upper, before ?? Number.MAX_SAFE_INTEGER), (from ?? 0) * 1_000, type ?? null];
}

function figuresOf(row: FiguresRow): AccountFigures {
  const { balance, floor, ceiling, frozen, posting_count, last_seq } = row;
  return {
    balance,
    floor,
    ceiling,
    frozen,
    postingCount: posting_count,
    lastPostedAt: last_seq === 0 ? null : new Date(Math.floor(last_seq / 1_000)),
  };
}

export function entryOf(row: HistoryRow): HistoryEntry {
  return {
    seq: row.seq,
    movementId: row.movement_id,
    type: row.type,
    change: row.change,
    amount: row.amount,
    fee: row.fee,
    balanceAfter: row.balance_after,
    fromAccount: row.from_account,
    toAccount: row.to_account,
    narration: row.narration,
    requestId: row.request_id,
    reference: row.reference,
    metadata: row.metadata,
    at: row.at,
  };
}
