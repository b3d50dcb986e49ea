// All movements of the house, newest first, by cursor or by offset.
import type { Pool } from 'pg';
import { MINUTE_MS } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';

export interface MovementEntry {
  id: string;
  type: string;
  amount: number;
  fee: number;
  fromAccount: string;
  toAccount: string;
  narration: string | null;
  requestId: string | null;
  reference: string | null;
  /** JSON text, as it was sent; null when there is none. */
  metadata: string | null;
  at: Date;
}

export interface MovementQuery {
  type?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Only what is older than the movement with this id. */
  before?: string;
  limit: number;
  offset?: number;
}

export interface MovementList {
  /** Newest first. */
  page(query: MovementQuery): Promise<MovementEntry[]>;
  /** Exact up to COUNT_LIMIT, and that from there on. */
  count(query: MovementQuery): Promise<number>;
}

/** Counting without end would one day take longer than a query may. */
export const COUNT_LIMIT = 1_000_000;

// Ids are made just before their movement is posted. They are in the order of time and have the only index there is, so
// they bound the walk; the instant itself decides.
const ID_LEAD_MS = MINUTE_MS;

const MATCHING = `from movements where id < $1 and id >= $2 and ($3::text is null or type = $3)
  and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)`;

const PAGE = `select id, type, amount, fee, from_account, to_account, narration, request_id, reference, metadata::text, at
  ${MATCHING} order by id desc limit $6 offset $7`;

const COUNT = `select count(*) as count from (select 1 ${MATCHING} limit ${COUNT_LIMIT}) matching`;

interface MovementRow {
  id: string;
  type: string;
  amount: number;
  fee: number;
  from_account: string;
  to_account: string;
  narration: string | null;
  request_id: string | null;
  reference: string | null;
  metadata: string | null;
  at: Date;
}

export function createMovementList(pool: Pool): MovementList {
  return {
    async page(query) {
      const values = [...bounds(query), query.limit, query.offset ?? 0];
      const { rows } = await pool.query<MovementRow>({ text: PAGE, values });
      return rows.map(entryOf);
    },
    async count(query) {
      const { rows } = await pool.query<{ count: number }>({ text: COUNT, values: bounds(query) });
      return rows[0]?.count ?? 0;
    },
  };
}

function bounds({ type, from, to, before }: MovementQuery): unknown[] {
  const lower = from === undefined ? 'txn_' : firstIdAt('txn', from - ID_LEAD_MS);
  const upper = to === undefined ? 'txn_~' : firstIdAt('txn', to + 1 + ID_LEAD_MS);
  const below = before !== undefined && before < upper ? before : upper;
  return [below, lower, type ?? null, instant(from), instant(to === undefined ? undefined : to + 1)];
}

function instant(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

function entryOf({ from_account, to_account, request_id, ...row }: MovementRow): MovementEntry {
  return { ...row, fromAccount: from_account, toAccount: to_account, requestId: request_id };
}
