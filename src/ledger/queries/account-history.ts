// Reads accounts: balances, history by cursor, and the balance at a past instant.
import { batchLoader, type Load } from '../../db/batch-loader.ts';
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { bool, integer, integerOrNull, text, textOrNull, timestamp } from '../../db/driver/columns.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { createAccountSearch, type FoundPosting, isPostingSearch, type PostingFilter } from './account-search.ts';
import { createArchives } from './archives.ts';
import type { ScanResult } from './bounded-scan.ts';
import { createHistoryByType, type SearchOptions } from './history-by-type.ts';

export interface AccountBalance {
  balance: number;
  /** What holds reserve of it. */
  held: number;
  /** Null: no bound. */
  floor: number | null;
  ceiling: number | null;
  /** A frozen account takes part in no new movement. */
  frozen: boolean;
  postingCount: number;
  /** The instant of the newest posting; null when there is none. */
  lastPostedAt: Date | null;
}

export interface HistoryEntry {
  seq: number;
  movementId: string;
  type: string;
  /** The signed change of the account. */
  change: number;
  /** The movement's amount, without fees. */
  amount: number;
  fee: number;
  balanceAfter: number;
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

export interface HistoryQuery extends PostingFilter {
  accountId: string;
  type?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Only postings before this seq. */
  before?: number | undefined;
  limit: number;
  offset?: number;
  /** The number of entries after the offset, if known: the search then ends with the last one. */
  left?: number | undefined;
}

export interface HistoryPage {
  /** Newest first. Can be shorter than the limit when the search for more matches would take too long. */
  entries: HistoryEntry[];
  /** The next page has the postings before this seq; null: this is the last page. */
  next: number | null;
}

export interface Books {
  balance: Load<string, AccountBalance | null>;
  /** Null: there are more matching entries to skip than can be counted in time. */
  history(query: HistoryQuery): Promise<HistoryPage | null>;
  /** Counts matching entries one by one. Not complete: there are more than can be counted in time. */
  count(query: Omit<HistoryQuery, 'limit' | 'offset'>): Promise<{ count: number; complete: boolean }>;
  /** The account's postings of movements that it is a party to, by movement. */
  postingsOf(
    accountId: string,
    movements: readonly { id: string; at: Date }[],
  ): Promise<ReadonlyMap<string, FoundPosting>>;
  /** The balance after everything up to and including the instant, which must not be archived. */
  balanceAt(accountId: string, instant: number): Promise<number>;
  /** Postings before this instant, in milliseconds, are archived. Null: none are. */
  archivedBefore(): Promise<number | null>;
  /** The number of archived postings of an account. */
  archivedCount(accountId: string, before: number): Promise<number>;
}

const BALANCE_COLUMNS = 'id, balance, floor, ceiling, frozen, posting_count, last_seq, held';
const BALANCES = onCitus(
  statement(
    'ledger-balances',
    `select a.* from unnest($1::text[]) as requested (id) cross join lateral (
    select ${BALANCE_COLUMNS} from accounts where id = requested.id limit 1) a`,
    (columns) => [text(columns[0]), balanceOf(columns)] as const,
  ),
  `select ${BALANCE_COLUMNS} from accounts where id = any($1::text[])`,
);

const MOVEMENT_COLUMNS = `m.type, m.amount, m.from_account, m.to_account, m.narration, m.request_id, m.reference, m.metadata::text,
    m.at, m.actor_type, m.actor_id`;

// Only the page's rows are read; the postings that an offset skips are counted in the index.
const RECORDS_OF = (seqs: string) => `select p.seq, p.movement_id, p.amount, p.fee, p.balance_after, m.*
  from ${seqs} cross join lateral (
    select * from postings where account_id = $1 and seq = page.seq limit 1) p
  cross join lateral (
    select ${MOVEMENT_COLUMNS} from movements m where m.id = p.movement_id limit 1) m
  order by p.seq desc`;

/** On Citus the postings, which are on one shard, are read first, and sent to the shards of their movements. */
const RECORDS_ON_CITUS = (which: string) => `with p as materialized (
    select seq, movement_id, amount, fee, balance_after from postings where account_id = $1 and ${which})
  select p.seq, p.movement_id, p.amount, p.fee, p.balance_after, ${MOVEMENT_COLUMNS}
  from p join movements m on m.id = p.movement_id order by p.seq desc`;

// Scans the primary key backwards from the cursor: constant time per page, however long the history.
const PAGE = 'seq < $2 and seq >= $3 order by seq desc limit $4 offset $5';
export const HISTORY = onCitus(
  statement(
    'ledger-history',
    RECORDS_OF(`(
    select seq from postings where account_id = $1 and ${PAGE}) page`),
    entryOf,
  ),
  RECORDS_ON_CITUS(PAGE),
);

export const RECORDS = onCitus(
  statement('ledger-records', RECORDS_OF('unnest($2::bigint[]) as page (seq)'), entryOf),
  RECORDS_ON_CITUS('seq = any($2::bigint[])'),
);

const BALANCE_AT = statement(
  'ledger-balance-at',
  `select coalesce((select balance_after from postings where account_id = $1 and seq < $2 order by seq desc limit 1), (
    select sum(change) from account_checkpoints where account_id = $1 and seq = (
      select seq from account_checkpoints where account_id = $1 and seq < $2 order by seq desc limit 1)), 0)`,
  ([balance]) => integer(balance),
);

/** Their positions are held in memory. */
const MOST_COUNTED = 100_000;

export function createBooks(
  { pool, reader }: { pool: StatementRunner; reader: Reader },
  options: SearchOptions = {},
): Books {
  const byType = createHistoryByType(pool, options);
  const archives = createArchives(pool);

  const search = createAccountSearch(pool, options);

  /** Null: neither the type nor anything else is filtered but the period. */
  function searched(query: HistoryQuery, want: number): Promise<ScanResult<number> | null> | null {
    const { accountId, type, offset: skip = 0 } = query;
    const [, below, from] = rangeOf(query);
    const { types, minAmount, maxAmount, counterparty, leftOut } = query;
    const filter = { types, minAmount, maxAmount, counterparty, leftOut };
    if (isPostingSearch(filter)) return search.find({ accountId, type, ...filter, below, from, skip, want });
    return type === undefined ? null : byType.find({ accountId, type, below, from, skip, want });
  }

  async function searchedPage(
    { accountId, limit }: HistoryQuery,
    want: number,
    search: Promise<ScanResult<number> | null>,
  ): Promise<HistoryPage | null> {
    const scanned = await search;
    if (!scanned) return null;
    const seqs = scanned.found.slice(0, limit);
    const entries = seqs.length > 0 ? await pool.run(RECORDS, [accountId, int8Array(seqs)]) : [];
    return { entries, next: nextOf(scanned.found, limit, scanned.found.length < want ? scanned.next : null) };
  }

  return {
    balance: batchLoader({
      async fetch(ids: string[]) {
        const found = new Map(await reader.run(BALANCES, [textArray([...new Set(ids)])]));
        return ids.map((id) => found.get(id) ?? null);
      },
    }),
    async history(query) {
      const { limit, offset = 0, left = Number.POSITIVE_INFINITY } = query;
      // One more than the page holds, to know whether there is a next page.
      const want = Math.min(limit + 1, left);
      if (limit === 0 || want <= 0) return { entries: [], next: null };
      const search = searched(query, want);
      if (search) return searchedPage(query, want, search);
      const entries = await pool.run(HISTORY, [...rangeOf(query), want, offset]);
      const seqs = entries.map(({ seq }) => seq);
      return { entries: entries.slice(0, limit), next: nextOf(seqs, limit, null) };
    },
    async count(query) {
      const [accountId, below, from] = rangeOf(query);
      const found = await search.find({ ...query, accountId, below, from, skip: 0, want: MOST_COUNTED });
      return { count: found?.found.length ?? 0, complete: found?.next === null };
    },
    postingsOf: search.postingsOf,
    archivedBefore: archives.before,
    archivedCount: archives.countOf,
    async balanceAt(accountId, instant) {
      const [balance] = await pool.run(BALANCE_AT, [accountId, (instant + 1) * 1_000]);
      return balance ?? 0;
    },
  };
}

/** The next page starts before the last entry of this page, or where the search stopped. */
function nextOf(seqs: number[], limit: number, stopped: number | null): number | null {
  return seqs.length > limit ? (seqs[limit - 1] ?? null) : stopped;
}

/** Converts instants to bounds of seq, which is in microseconds: [from, to] becomes [from, to + 1 ms). */
export function rangeOf({ accountId, from, to, before }: Omit<HistoryQuery, 'limit' | 'offset'>) {
  const upper = to === undefined ? Number.MAX_SAFE_INTEGER : (to + 1) * 1_000;
  const below = Math.min(upper, before ?? Number.MAX_SAFE_INTEGER);
  return [accountId, below, (from ?? 0) * 1_000] as [accountId: string, below: number, from: number];
}

function balanceOf([, balance, floor, ceiling, frozen, postingCount, lastSeq, held]: Columns): AccountBalance {
  const seq = integer(lastSeq);
  return {
    balance: integer(balance),
    held: integer(held),
    floor: integerOrNull(floor),
    ceiling: integerOrNull(ceiling),
    frozen: bool(frozen),
    postingCount: integer(postingCount),
    lastPostedAt: seq === 0 ? null : new Date(Math.floor(seq / 1_000)),
  };
}

/** Decodes seq, movement_id, amount, fee and balance_after of a posting, then its movement's columns. */
export function entryOf([seq, movementId, change, fee, balanceAfter, ...movement]: Columns): HistoryEntry {
  const [type, amount, fromAccount, toAccount, narration, requestId, reference, metadata, at, ...actor] = movement;
  return {
    seq: integer(seq),
    movementId: text(movementId),
    type: text(type),
    change: integer(change),
    amount: integer(amount),
    fee: integer(fee),
    balanceAfter: integer(balanceAfter),
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
