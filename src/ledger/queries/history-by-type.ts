// Finds the postings of one type in a long history: range by range, skipping from checkpoint to checkpoint over ranges
// that have none.
import { integer, integerOrNull, integers } from '../../db/driver/columns.ts';
import { type StatementRunner, statement } from '../../db/driver/statement.ts';
import { boundedScan, type SkipAhead, type Stretch, type Walked } from './bounded-scan.ts';
import { EVERY_POSTINGS } from './checkpoints.ts';

export interface TypedQuery {
  accountId: string;
  type: string;
  /** Bounds of seq: less than `before`, at least `from`. */
  below: number;
  from: number;
  skip: number;
  want: number;
}

export interface TypedHistory {
  /** Their seqs, newest first; null: the entries to skip could not be counted in time. */
  find(query: TypedQuery): Promise<Walked<number> | null>;
}

export interface SearchTerms {
  /** Postings per statement. */
  stretch?: number;
  searchMs?: number;
  /** A monotonic clock, in milliseconds. */
  now?(): number;
}

const SEARCH_MS = 500;

// Scans down to the previous checkpoint, or as many postings as given. A checkpoint has the newest posting of the type up
// to it, which is where the next range starts. A checkpoint directly below is skipped: nothing lies between.
export const STRETCH = statement(
  'ledger-stretch',
  `select array(
      select p.seq from postings p cross join lateral (
        select 1 from movements where id = p.movement_id and type = $4 limit 1) m
      where p.account_id = $1 and p.seq < $2 and p.seq >= bottom.seq order by p.seq desc limit $5),
    case when bottom.seq <= $3::bigint then null when bottom.seq > base.seq + 1 or base.seq is null then bottom.seq else (
      select max(newest) + 1 from account_checkpoints where account_id = $1 and seq = base.seq and type = $4) end,
    case when bottom.seq = base.seq + 1 then base.seq end
  from (select (select seq from account_checkpoints where account_id = $1 and seq < $2::bigint - 1
      order by seq desc limit 1) as seq) base
  cross join lateral (select greatest($3::bigint, base.seq + 1, (
      select seq from postings where account_id = $1 and seq < $2 and seq >= $3
      order by seq desc limit 1 offset $6::bigint - 1)) as seq) bottom`,
  ([found, next, base]) => ({ found: integers(found), next: integerOrNull(next), base: integerOrNull(base) }),
);

// The furthest checkpoint such that no more postings of the type lie in between than are to be skipped.
export const LEAP = statement(
  'ledger-leap',
  `select older.seq + 1, given.count - older.count
  from (select sum(count) as count from account_checkpoints
    where account_id = $1 and seq = $2 and type = $3) given
  cross join lateral (select seq, sum(count) as count from account_checkpoints
    where account_id = $1 and seq < $2 and type = $3 group by seq) older
  where given.count - older.count <= $4 order by older.seq limit 1`,
  ([next, passed]) => ({ next: integer(next), passed: integer(passed) }),
);

interface Step extends Stretch<number> {
  /** The checkpoint down to which everything was scanned. */
  base: number | null;
}

export function createTypedHistory(pool: StatementRunner, terms: SearchTerms = {}): TypedHistory {
  const { stretch = EVERY_POSTINGS, searchMs = SEARCH_MS, now = () => performance.now() } = terms;

  async function look({ accountId, type, from }: TypedQuery, below: number, most: number): Promise<Step> {
    const [step] = await pool.run(STRETCH, [accountId, below, from, type, most, stretch]);
    const { found, next, base } = step ?? { found: [], next: null, base: null };
    return { found, next: next !== null && next > from ? next : null, base };
  }

  async function leap(
    { accountId, type }: TypedQuery,
    { base }: Step,
    skip: number,
  ): Promise<SkipAhead<number> | null> {
    if (base === null) return null;
    const [leap] = await pool.run(LEAP, [accountId, base, type, skip]);
    return leap ?? null;
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
