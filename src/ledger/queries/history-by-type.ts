// Finds the postings of one type among an account's millions: a stretch at a time, and from checkpoint to checkpoint
// over stretches that have none.
import type { Pool } from 'pg';
import { boundedScan, type SkipAhead, type Stretch, type Walked } from './bounded-scan.ts';
import { EVERY_POSTINGS } from './checkpoints.ts';

export interface TypedQuery {
  accountId: string;
  type: string;
  /** Bounds of seq: below the one, at least the other. */
  below: number;
  from: number;
  skip: number;
  want: number;
}

export interface TypedHistory {
  /** Their seqs, newest first; null: what is to be skipped could not be counted in time. */
  find(query: TypedQuery): Promise<Walked<number> | null>;
}

export interface SearchTerms {
  /** How many postings one statement looks at. */
  stretch?: number;
  searchMs?: number;
  /** Milliseconds that only ever grow. */
  now?(): number;
}

const SEARCH_MS = 500;

// As far down as the checkpoint before, or as so many postings. A checkpoint says which posting of the type is the newest
// up to it, so that is where the next stretch begins. One right below is passed over: nothing would lie between.
export const STRETCH = `select array(
      select p.seq from postings p cross join lateral (
        select 1 from movements where id = p.movement_id and type = $4 limit 1) m
      where p.account_id = $1 and p.seq < $2 and p.seq >= bottom.seq order by p.seq desc limit $5) as found,
    case when bottom.seq <= $3::bigint then null when bottom.seq > base.seq + 1 or base.seq is null then bottom.seq else (
      select max(newest) + 1 from account_checkpoints where account_id = $1 and seq = base.seq and type = $4) end as next,
    case when bottom.seq = base.seq + 1 then base.seq end as base
  from (select (select seq from account_checkpoints where account_id = $1 and seq < $2::bigint - 1
      order by seq desc limit 1) as seq) base
  cross join lateral (select greatest($3::bigint, base.seq + 1, (
      select seq from postings where account_id = $1 and seq < $2 and seq >= $3
      order by seq desc limit 1 offset $6::bigint - 1)) as seq) bottom`;

// The furthest checkpoint with no more of the type between it and the one given than are to be skipped.
export const LEAP = `select older.seq + 1 as next, (given.count - older.count)::bigint as passed
  from (select sum(count) as count from account_checkpoints
    where account_id = $1 and seq = $2 and type = $3) given
  cross join lateral (select seq, sum(count) as count from account_checkpoints
    where account_id = $1 and seq < $2 and type = $3 group by seq) older
  where given.count - older.count <= $4 order by older.seq limit 1`;

interface StretchRow {
  found: string[];
  next: number | null;
  base: number | null;
}

interface Step extends Stretch<number> {
  /** The checkpoint that everything was looked at down to. */
  base: number | null;
}

export function createTypedHistory(pool: Pool, terms: SearchTerms = {}): TypedHistory {
  const { stretch = EVERY_POSTINGS, searchMs = SEARCH_MS, now = () => performance.now() } = terms;

  async function look({ accountId, type, from }: TypedQuery, below: number, most: number): Promise<Step> {
    const values = [accountId, below, from, type, most, stretch];
    const { rows } = await pool.query<StretchRow>({ name: 'ledger-stretch', text: STRETCH, values });
    const { found, next, base } = rows[0] ?? { found: [], next: null, base: null };
    return { found: found.map(Number), next: next !== null && next > from ? next : null, base };
  }

  async function leap(
    { accountId, type }: TypedQuery,
    { base }: Step,
    skip: number,
  ): Promise<SkipAhead<number> | null> {
    if (base === null) return null;
    const values = [accountId, base, type, skip];
    return (await pool.query<SkipAhead<number>>({ name: 'ledger-leap', text: LEAP, values })).rows[0] ?? null;
  }

  return {
    find(query) {
      const until = now() + searchMs;
      return boundedScan<number, Step>({
        from: query.below,
        skip: query.skip,
        want: query.want,
        stretch: (below, most) => look(query, below, most),
        leap: (step, skip) => leap(query, step, skip),
        isOver: () => now() >= until,
      });
    },
  };
}
