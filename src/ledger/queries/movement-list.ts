// All movements, newest first, by cursor or offset. Each page and each count takes bounded time.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { integer, text, textOrNull, timestamp } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type StatementRunner, statement, type Values } from '../../db/driver/statement.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { SearchOptions } from './history-by-type.ts';
import { leftOutValues, notLeftOut } from './left-out.ts';
import { type Bounds, createMovementSearch, IN_PERIOD, isSearch, type MovementFilter } from './movement-search.ts';
import { typeValues } from './type-filter.ts';

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

export interface MovementQuery extends MovementFilter {
  /** Only movements before this id. */
  before?: string | undefined;
  limit: number;
  offset?: number;
}

export interface MovementPage {
  /** Newest first. Can be shorter than the limit when the search for more matches would take too long. */
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
  /** Null: there are more movements to skip than can be counted in time. */
  page(query: MovementQuery): Promise<MovementPage | null>;
  /** Up to COUNT_LIMIT; filtered by type and period only. */
  count(query: Pick<MovementQuery, 'type' | 'types' | 'from' | 'to' | 'leftOut'>): Promise<MovementCount>;
}

/** An unbounded count would eventually exceed the query timeout. */
const COUNT_LIMIT = 1_000_000;
const COUNT_RANGE_SIZE = 50_000;
/** A list is answered within 100 ms; the count is a minimum if it takes longer. */
const COUNT_MS = 50;

// Ids are time-ordered and created just before their movement is posted. The timestamp has no index, so ids bound the scan
// and the timestamp filters the rows.
const ID_LEAD_MS = MINUTE_MS;

const COLUMNS = `id, type, amount, fee, from_account, to_account, narration, request_id, reference, metadata::text, at,
  actor_type, actor_id`;

export const MOVEMENTS = statement(
  'movements',
  `select ${COLUMNS} from movements
  where id < $1 and id >= $2 and ${IN_PERIOD} and ${notLeftOut('$5', '$6')} order by id desc limit $7 offset $8`,
  movementEntryOf,
);

export const MOVEMENTS_BY_ID = onCitus(
  statement(
    'movements-by-id',
    `select m.* from unnest($1::text[]) as page (id) cross join lateral (
    select ${COLUMNS} from movements where id = page.id limit 1) m order by m.id desc`,
    movementEntryOf,
  ),
  `select ${COLUMNS} from movements where id = any($1::text[]) order by id desc`,
);

export const MOVEMENTS_COUNT = statement(
  'movements-count',
  `select
    count(*) filter (where ($5::text[] is null or type = any($5)) and ${IN_PERIOD} and ${notLeftOut('$6', '$7')}),
    case when count(*) = $8::bigint then min(id) end
  from (select id, type, at, from_account, to_account from movements
    where id < $1 and id >= $2 order by id desc limit $8::bigint) part`,
  ([count, next]) => ({ count: integer(count), next: textOrNull(next) }),
);

export function createMovementList(pool: StatementRunner, options: SearchOptions = {}): MovementList {
  const { rangeSize = COUNT_RANGE_SIZE, searchMs = COUNT_MS, now = () => performance.now() } = options;
  const search = createMovementSearch(pool, options);

  async function searchedPage(query: MovementQuery): Promise<MovementPage | null> {
    const { before: _, limit, offset = 0, ...filter } = query;
    // One more than the page holds, to know whether there is a next page.
    const scanned = await search.find(filter, { bounds: bounds(query), skip: offset, want: limit + 1 });
    if (!scanned) return null;
    const ids = scanned.found.slice(0, limit);
    const entries = ids.length > 0 ? await pool.run(MOVEMENTS_BY_ID, [textArray(ids)]) : [];
    return { entries, next: scanned.found.length > limit ? (ids.at(-1) ?? null) : scanned.next };
  }

  async function countRange(values: Values): Promise<{ count: number; next: string | null }> {
    const [counted] = await pool.run(MOVEMENTS_COUNT, values);
    return counted ?? { count: 0, next: null };
  }

  return {
    async page(query) {
      const { before: _, limit, offset = 0, ...filter } = query;
      if (limit === 0) return { entries: [], next: null };
      if (isSearch(filter)) return searchedPage(query);
      // One more than the page holds, to know whether there is a next page.
      const found = await pool.run(MOVEMENTS, [...bounds(query), ...leftOutValues(query.leftOut), limit + 1, offset]);
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
    async count(query) {
      const [below, ...filters] = bounds(query);
      const leftOut = leftOutValues(query.leftOut);
      const deadline = now() + searchMs;
      let count = 0;
      for (let from: string | null = below; from !== null; ) {
        const isOver = count >= COUNT_LIMIT || (from !== below && now() >= deadline);
        if (isOver) return { count: Math.min(count, COUNT_LIMIT), complete: false };
        const counted = await countRange([from, ...filters, typeValues(query), ...leftOut, rangeSize]);
        count += counted.count;
        from = counted.next;
      }
      return { count, complete: true };
    },
  };
}

export function bounds({ from, to, before }: Omit<MovementQuery, 'limit'>): Bounds {
  const lower = from === undefined ? 'txn_' : firstIdAt('txn', from - ID_LEAD_MS);
  const upper = to === undefined ? 'txn_~' : firstIdAt('txn', to + 1 + ID_LEAD_MS);
  const below = before !== undefined && before < upper ? before : upper;
  return [below, lower, dateOrNull(from), dateOrNull(to === undefined ? undefined : to + 1)];
}

function dateOrNull(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

export function movementEntryOf(columns: Columns): MovementEntry {
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
