// Finds the postings of one type in a long history: range by range, skipping from checkpoint to checkpoint over ranges
// that have none.
import { integer, integerOrNull, integers } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { boundedScan, type ScannedRange, type ScanResult, type SkipAhead } from './bounded-scan.ts';
import { EVERY_POSTINGS } from './checkpoints.ts';

export interface HistoryByTypeQuery {
  accountId: string;
  type: string;
  /** Bounds of seq: less than `below`, at least `from`. */
  below: number;
  from: number;
  skip: number;
  want: number;
}

export interface HistoryByType {
  /** Their seqs, newest first; null: the entries to skip could not be counted in time. */
  find(query: HistoryByTypeQuery): Promise<ScanResult<number> | null>;
}

export interface SearchOptions {
  /** Postings per statement. */
  rangeSize?: number;
  searchMs?: number;
  /** A monotonic clock, in milliseconds. */
  now?(): number;
}

const SEARCH_MS = 500;

// Scans down to the previous checkpoint, or over at most $6 postings. A checkpoint has the newest posting of the type
// up to it, which is where the next range starts. A checkpoint directly below is skipped: nothing lies between.
const NEXT = `case when bottom.seq <= $3::bigint then null when bottom.seq > base.seq + 1 or base.seq is null then bottom.seq else (
      select max(newest) + 1 from account_checkpoints where account_id = $1 and seq = base.seq and type = $4) end`;
const BASE = 'case when bottom.seq = base.seq + 1 then base.seq end';
const RANGE = `from (select (select seq from account_checkpoints where account_id = $1 and seq < $2::bigint - 1
      order by seq desc limit 1) as seq) base
  cross join lateral (select greatest($3::bigint, base.seq + 1, (
      select seq from postings where account_id = $1 and seq < $2 and seq >= $3
      order by seq desc limit 1 offset $6::bigint - 1)) as seq) bottom`;

export const RANGE_OF_TYPE = onCitus(
  statement(
    'ledger-range-of-type',
    `select array(
      select p.seq from postings p cross join lateral (
        select 1 from movements where id = p.movement_id and type = $4 limit 1) m
      where p.account_id = $1 and p.seq < $2 and p.seq >= bottom.seq order by p.seq desc limit $5), ${NEXT}, ${BASE} ${RANGE}`,
    ([found, next, base]) => ({ found: integers(found), next: integerOrNull(next), base: integerOrNull(base) }),
  ),
  // The first two read one shard. The postings of the range are then sent to the shards of their movements.
  `with range as materialized (select bottom.seq as bottom, ${NEXT} as next, ${BASE} as base ${RANGE}),
  page as materialized (
    select p.seq, p.movement_id from postings p where p.account_id = $1 and p.seq < $2 and p.seq >= (select bottom from range)),
  found as materialized (select page.seq from page join movements m on m.id = page.movement_id where m.type = $4)
  select array(select seq from found order by seq desc limit $5), range.next, range.base from range`,
);

// The furthest checkpoint such that no more postings of the type lie in between than are to be skipped.
export const SKIP_AHEAD = statement(
  'ledger-skip-ahead',
  `select older.seq + 1, base.count - older.count
  from (select sum(count) as count from account_checkpoints
    where account_id = $1 and seq = $2 and type = $3) base
  cross join lateral (select seq, sum(count) as count from account_checkpoints
    where account_id = $1 and seq < $2 and type = $3 group by seq) older
  where base.count - older.count <= $4 order by older.seq limit 1`,
  ([next, skipped]) => ({ next: integer(next), skipped: integer(skipped) }),
);

interface Step extends ScannedRange<number> {
  /** The checkpoint down to which everything was scanned. */
  base: number | null;
}

export function createHistoryByType(pool: StatementRunner, options: SearchOptions = {}): HistoryByType {
  const { rangeSize = EVERY_POSTINGS, searchMs = SEARCH_MS, now = () => performance.now() } = options;

  async function scanRange({ accountId, type, from }: HistoryByTypeQuery, below: number, limit: number): Promise<Step> {
    const [step] = await pool.run(RANGE_OF_TYPE, [accountId, below, from, type, limit, rangeSize]);
    const { found, next, base } = step ?? { found: [], next: null, base: null };
    return { found, next: next !== null && next > from ? next : null, base };
  }

  async function skipAhead(
    { accountId, type }: HistoryByTypeQuery,
    { base }: Step,
    skip: number,
  ): Promise<SkipAhead<number> | null> {
    if (base === null) return null;
    const [skipped] = await pool.run(SKIP_AHEAD, [accountId, base, type, skip]);
    return skipped ?? null;
  }

  return {
    find(query) {
      const until = now() + searchMs;
      return boundedScan<number, Step>({
        from: query.below,
        skip: query.skip,
        want: query.want,
        scanRange: (below, limit) => scanRange(query, below, limit),
        skipAhead: (step, skip) => skipAhead(query, step, skip),
        isOver: () => now() >= until,
      });
    },
  };
}
