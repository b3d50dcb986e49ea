// All movements, newest first, by cursor or offset. Each page and each count takes bounded time.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text, textOrNull, texts, timestamp } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement, type Values } from '../../db/driver/statement.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { boundedScan, type ScannedRange } from './bounded-scan.ts';
import type { SearchOptions } from './history-by-type.ts';

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
  /** JSON text as sent; null when absent. */
  metadata: string | null;
  at: Date;
  /** The author; null in movements of versions that did not store it. */
  actorType: string | null;
  actorId: string | null;
}

export interface MovementQuery {
  type?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Only movements before this id. */
  before?: string | undefined;
  limit: number;
  offset?: number;
}

export interface MovementPage {
  /** Newest first. Can be shorter than the limit when the search for more of one type would take too long. */
  entries: MovementEntry[];
  /** The next page has the movements before this id; null: this is the last page. */
  next: string | null;
}

export interface MovementCount {
  count: number;
  /** False: the count is a minimum. */
  complete: boolean;
}

export interface MovementList {
  /** Null: there are more movements of the type to skip than can be counted in time. */
  page(query: MovementQuery): Promise<MovementPage | null>;
  /** Up to COUNT_LIMIT. */
  count(query: Omit<MovementQuery, 'limit'>): Promise<MovementCount>;
}

/** An unbounded count would eventually exceed the query timeout. */
const COUNT_LIMIT = 1_000_000;
const RANGE_SIZE = 10_000;
/** Counting is cheaper than searching: one statement counts this many times as many rows. */
const RANGES_PER_COUNT = 5;
const SEARCH_MS = 1_000;

// Ids are time-ordered and created just before their movement is posted. The timestamp has no index, so ids bound the scan
// and the timestamp filters the rows.
const ID_LEAD_MS = MINUTE_MS;

const IN_PERIOD = `($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`;

const COLUMNS = `id, type, amount, fee, from_account, to_account, narration, request_id, reference, metadata::text, at,
  actor_type, actor_id`;

export const MOVEMENTS = statement(
  'movements',
  `select ${COLUMNS} from movements
  where id < $1 and id >= $2 and ${IN_PERIOD} order by id desc limit $5 offset $6`,
  entryOf,
);

export const MOVEMENTS_RANGE = statement(
  'movements-range',
  `select array(select id from movements
      where id < $1 and id >= bottom.id and type = $5 and ${IN_PERIOD} order by id desc limit $6),
    case when bottom.id > $2 collate "C" then bottom.id end
  from (select greatest($2::text collate "C", (select id from movements where id < $1 and id >= $2
      order by id desc limit 1 offset $7::bigint - 1)) as id) bottom`,
  ([found, next]) => ({ found: texts(found), next: textOrNull(next) }),
);

export const MOVEMENTS_BY_ID = statement(
  'movements-by-id',
  `select m.* from unnest($1::text[]) as page (id) cross join lateral (
    select ${COLUMNS} from movements where id = page.id limit 1) m order by m.id desc`,
  entryOf,
);

export const MOVEMENTS_COUNT = statement(
  'movements-count',
  `select
    count(*) filter (where ($5::text is null or type = $5) and ${IN_PERIOD}),
    case when count(*) = $6::bigint then min(id) end
  from (select id, type, at from movements where id < $1 and id >= $2 order by id desc limit $6::bigint) part`,
  ([count, next]) => ({ count: integer(count), next: textOrNull(next) }),
);

export function createMovementList(pool: StatementRunner, options: SearchOptions = {}): MovementList {
  const { rangeSize = RANGE_SIZE, searchMs = SEARCH_MS, now = () => performance.now() } = options;

  async function pageOfType(query: MovementQuery): Promise<MovementPage | null> {
    // One more than the page holds, to know whether there is a next page.
    const want = query.limit + 1;
    const [below, ...filters] = bounds(query);
    const deadline = now() + searchMs;
    const scanned = await boundedScan<string, ScannedRange<string>>({
      from: below,
      skip: query.offset ?? 0,
      want,
      async scanRange(from, limit) {
        const values = [from, ...filters, query.type ?? null, limit, rangeSize];
        const [found] = await pool.run(MOVEMENTS_RANGE, values);
        return found ?? { found: [], next: null };
      },
      isOver: () => now() >= deadline,
    });
    if (!scanned) return null;
    const ids = scanned.found.slice(0, query.limit);
    const entries = await pool.run(MOVEMENTS_BY_ID, [textArray(ids)]);
    return { entries, next: scanned.found.length > query.limit ? (ids.at(-1) ?? null) : scanned.next };
  }

  async function countRange(values: Values): Promise<{ count: number; next: string | null }> {
    const [counted] = await pool.run(MOVEMENTS_COUNT, values);
    return counted ?? { count: 0, next: null };
  }

  return {
    async page(query) {
      const { type, limit, offset = 0 } = query;
      if (limit === 0) return { entries: [], next: null };
      if (type !== undefined) return pageOfType(query);
      // One more than the page holds, to know whether there is a next page.
      const found = await pool.run(MOVEMENTS, [...bounds(query), limit + 1, offset]);
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
    async count(query) {
      const [below, ...filters] = bounds(query);
      const deadline = now() + searchMs;
      let count = 0;
      for (let from: string | null = below; from !== null; ) {
        const isOver = count >= COUNT_LIMIT || (from !== below && now() >= deadline);
        if (isOver) return { count: Math.min(count, COUNT_LIMIT), complete: false };
        const counted = await countRange([from, ...filters, query.type ?? null, RANGES_PER_COUNT * rangeSize]);
        count += counted.count;
        from = counted.next;
      }
      return { count, complete: true };
    },
  };
}

type Bounds = [below: string, lowest: string, from: Date | null, to: Date | null];

function bounds({ from, to, before }: Omit<MovementQuery, 'limit'>): Bounds {
  const lower = from === undefined ? 'txn_' : firstIdAt('txn', from - ID_LEAD_MS);
  const upper = to === undefined ? 'txn_~' : firstIdAt('txn', to + 1 + ID_LEAD_MS);
  const below = before !== undefined && before < upper ? before : upper;
  return [below, lower, dateOrNull(from), dateOrNull(to === undefined ? undefined : to + 1)];
}

function dateOrNull(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

function entryOf(columns: Columns): MovementEntry {
  const [id, type, amount, fee, fromAccount, toAccount, narration, requestId, reference, metadata, at, ...actor] =
    columns;
  return {
    id: text(id),
    type: text(type),
    amount: integer(amount),
    fee: integer(fee),
    fromAccount: text(fromAccount),
    toAccount: text(toAccount),
    narration: textOrNull(narration),
    requestId: textOrNull(requestId),
    reference: textOrNull(reference),
    metadata: textOrNull(metadata),
    at: timestamp(at),
    actorType: textOrNull(actor[0] ?? null),
    actorId: textOrNull(actor[1] ?? null),
  };
}
