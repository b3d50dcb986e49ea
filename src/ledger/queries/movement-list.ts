// All movements of the house, newest first, by cursor or by offset, each page and each count within a bounded time.
import type { Pool } from 'pg';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { boundedScan, type Stretch } from './bounded-scan.ts';
import type { SearchTerms } from './history-by-type.ts';

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
  before?: string | undefined;
  limit: number;
  offset?: number;
}

export interface MovementPage {
  /** Newest first; fewer than the limit also where the search for more of a type would have taken too long. */
  entries: MovementEntry[];
  /** What is older than the movement with this id is on the next page; null: nothing is. */
  next: string | null;
}

export interface MovementCount {
  count: number;
  /** False: there are at least so many. */
  complete: boolean;
}

export interface MovementList {
  /** Null: of one type, there is more to pass over than can be counted in time. */
  page(query: MovementQuery): Promise<MovementPage | null>;
  /** Up to COUNT_LIMIT. */
  count(query: Omit<MovementQuery, 'limit'>): Promise<MovementCount>;
}

/** Counting without end would one day take longer than a query may. */
const COUNT_LIMIT = 1_000_000;
const STRETCH = 10_000;
/** Counting is less work than looking for some: a statement does so many times as much of it. */
const COUNTED_AT_ONCE = 5;
const SEARCH_MS = 1_000;

// Ids are made just before their movement is posted. They are in the order of time and have the only index there is, so
// they bound the walk; the instant itself decides.
const ID_LEAD_MS = MINUTE_MS;

const IN_TIME = `($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`;

const COLUMNS = `id, type, amount, fee, from_account, to_account, narration, request_id, reference, metadata::text, at`;

export const MOVEMENTS = `select ${COLUMNS} from movements
  where id < $1 and id >= $2 and ${IN_TIME} order by id desc limit $5 offset $6`;

export const MOVEMENTS_STRETCH = `select array(select id from movements
      where id < $1 and id >= bottom.id and type = $5 and ${IN_TIME} order by id desc limit $6) as found,
    case when bottom.id > $2 collate "C" then bottom.id end as next
  from (select greatest($2::text collate "C", (select id from movements where id < $1 and id >= $2
      order by id desc limit 1 offset $7::bigint - 1)) as id) bottom`;

export const MOVEMENTS_BY_ID = `select m.* from unnest($1::text[]) as page (id) cross join lateral (
    select ${COLUMNS} from movements where id = page.id limit 1) m order by m.id desc`;

export const MOVEMENTS_COUNT = `select
    count(*) filter (where ($5::text is null or type = $5) and ${IN_TIME}) as count,
    case when count(*) = $6::bigint then min(id) end as next
  from (select id, type, at from movements where id < $1 and id >= $2 order by id desc limit $6::bigint) stretch`;

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

export function createMovementList(pool: Pool, terms: SearchTerms = {}): MovementList {
  const { stretch = STRETCH, searchMs = SEARCH_MS, now = () => performance.now() } = terms;

  async function pageOfType(query: MovementQuery): Promise<MovementPage | null> {
    const want = query.limit + 1;
    const [below, ...further] = bounds(query);
    const until = now() + searchMs;
    const walked = await boundedScan<string, Stretch<string>>({
      from: below,
      skip: query.offset ?? 0,
      want,
      async stretch(from, most) {
        const values = [from, ...further, query.type, most, stretch];
        const { rows } = await pool.query<Stretch<string>>({ text: MOVEMENTS_STRETCH, values });
        return rows[0] ?? { found: [], next: null };
      },
      isOver: () => now() >= until,
    });
    if (!walked) return null;
    const ids = walked.found.slice(0, query.limit);
    const { rows } = await pool.query<MovementRow>({ text: MOVEMENTS_BY_ID, values: [ids] });
    const stopped = walked.found.length < want ? walked.next : null;
    return { entries: rows.map(entryOf), next: walked.found.length > query.limit ? (ids.at(-1) ?? null) : stopped };
  }

  async function countStretch(values: unknown[]): Promise<{ count: number; next: string | null }> {
    const { rows } = await pool.query<{ count: number; next: string | null }>({ text: MOVEMENTS_COUNT, values });
    return rows[0] ?? { count: 0, next: null };
  }

  return {
    async page(query) {
      const { type, limit, offset = 0 } = query;
      if (limit === 0) return { entries: [], next: null };
      if (type !== undefined) return pageOfType(query);
      // One more than the page holds: if it is there, the page has a successor.
      const values = [...bounds(query), limit + 1, offset];
      const { rows } = await pool.query<MovementRow>({ text: MOVEMENTS, values });
      const entries = rows.slice(0, limit).map(entryOf);
      return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
    async count(query) {
      const [below, ...further] = bounds(query);
      const until = now() + searchMs;
      let count = 0;
      for (let from: string | null = below; from !== null; ) {
        const isOver = count >= COUNT_LIMIT || (from !== below && now() >= until);
        if (isOver) return { count: Math.min(count, COUNT_LIMIT), complete: false };
        const counted = await countStretch([from, ...further, query.type ?? null, COUNTED_AT_ONCE * stretch]);
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
  return [below, lower, instant(from), instant(to === undefined ? undefined : to + 1)];
}

function instant(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}

function entryOf({ from_account, to_account, request_id, ...row }: MovementRow): MovementEntry {
  return { ...row, fromAccount: from_account, toAccount: to_account, requestId: request_id };
}
