// Searches the postings of one account by amount and counterparty, and finds its posting of a known movement. A search takes
// bounded time: it may end before the page is full, and the next page continues there.
import { int8Array, textArray } from '../../db/driver/binary-arrays.ts';
import { integer, integerOrNull, integers, text } from '../../db/driver/columns.ts';
import { onCitus, type StatementRunner, statement, type Values } from '../../db/driver/statement.ts';
import { boundedScan, type ScannedRange, type ScanResult } from './bounded-scan.ts';
import type { SearchOptions } from './history-by-type.ts';
import { type LeftOut, leftOutValues, notLeftOut } from './left-out.ts';
import { typeValues } from './type-filter.ts';

/** What the other filters of a history leave open. */
export interface PostingFilter {
  /** Any of these types. */
  types?: readonly string[] | undefined;
  /** Bounds of the movement's amount without fees, inclusive. */
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  /** The account on the other side. */
  counterparty?: string | undefined;
  leftOut?: LeftOut | undefined;
}

export interface PostingQuery extends PostingFilter {
  accountId: string;
  type?: string | undefined;
  /** Bounds of seq: less than `below`, at least `from`. */
  below: number;
  from: number;
  skip: number;
  want: number;
}

export interface FoundPosting {
  movementId: string;
  seq: number;
  /** Signed. */
  change: number;
  fee: number;
  balanceAfter: number;
}

export interface AccountSearch {
  /** Their seqs, newest first; null: the entries to skip could not be counted in time. */
  find(query: PostingQuery): Promise<ScanResult<number> | null>;
  /** The account's postings of movements that it is a party to. */
  postingsOf(
    accountId: string,
    movements: readonly { id: string; at: Date }[],
  ): Promise<ReadonlyMap<string, FoundPosting>>;
}

const RANGE_SIZE = 1_000;
const SEARCH_MS = 50;

export const MATCHES = `($4::text[] is null or m.type = any($4))
          and ($5::bigint is null or m.amount >= $5) and ($6::bigint is null or m.amount <= $6)
          and ($7::text is null or $7 in (m.from_account, m.to_account))
          and ${notLeftOut('$8', '$9', 'm.')}`;

export const POSTINGS_RANGE = onCitus(
  statement(
    'ledger-postings-range',
    `select array(
      select p.seq from postings p cross join lateral (
        select 1 from movements m where m.id = p.movement_id and ${MATCHES} limit 1) m
      where p.account_id = $1 and p.seq < $2 and p.seq >= bottom.seq order by p.seq desc limit $10),
    case when bottom.seq > $3::bigint then bottom.seq end
  from (select greatest($3::bigint, (select seq from postings where account_id = $1 and seq < $2 and seq >= $3
      order by seq desc limit 1 offset $11::bigint - 1)) as seq) bottom`,
    ([found, next]) => ({ found: integers(found), next: integerOrNull(next) }),
  ),
  `with page as materialized (select seq, movement_id from postings where account_id = $1 and seq < $2 and seq >= $3
      order by seq desc limit $11::bigint),
    found as materialized (select page.seq from page join movements m on m.id = page.movement_id where ${MATCHES})
  select array(select seq from found order by seq desc limit $10),
    (select min(seq) from page having count(*) = $11::bigint and min(seq) > $3::bigint)`,
);

// seq is the movement's time in microseconds, or a little more: the first postings from that time include it.
export const POSTINGS_OF_MOVEMENTS = statement(
  'ledger-postings-of-movements',
  `select p.* from unnest($2::text[], $3::bigint[]) as wanted (movement_id, seq) cross join lateral (
    select movement_id, seq, amount, fee, balance_after from postings
    where account_id = $1 and seq >= wanted.seq and movement_id = wanted.movement_id order by seq limit 1) p`,
  ([movementId, seq, amount, fee, balanceAfter]) => ({
    movementId: text(movementId),
    seq: integer(seq),
    change: integer(amount),
    fee: integer(fee),
    balanceAfter: integer(balanceAfter),
  }),
);

export function createAccountSearch(pool: StatementRunner, options: SearchOptions = {}): AccountSearch {
  const { rangeSize = RANGE_SIZE, searchMs = SEARCH_MS, now = () => performance.now() } = options;
  return {
    find(query) {
      const { accountId, from, below, skip, want } = query;
      const filter = postingValues(query);
      const deadline = now() + searchMs;
      return boundedScan<number, ScannedRange<number>>({
        from: below,
        skip,
        want,
        async scanRange(start, limit) {
          const [scanned] = await pool.run(POSTINGS_RANGE, [accountId, start, from, ...filter, limit, rangeSize]);
          return scanned ?? { found: [], next: null };
        },
        isOver: () => now() >= deadline,
      });
    },
    async postingsOf(accountId, movements) {
      if (movements.length === 0) return new Map();
      const ids = textArray(movements.map(({ id }) => id));
      const times = int8Array(movements.map(({ at }) => at.getTime() * 1_000));
      const postings = await pool.run(POSTINGS_OF_MOVEMENTS, [accountId, ids, times]);
      return new Map(postings.map((posting) => [posting.movementId, posting]));
    },
  };
}

/** The parameters of MATCHES. */
export function postingValues(filter: PostingFilter & { type?: string | undefined }): Values {
  const { minAmount, maxAmount, counterparty, leftOut } = filter;
  const plain = [typeValues(filter), minAmount ?? null, maxAmount ?? null, counterparty ?? null];
  return [...plain, ...leftOutValues(leftOut)];
}

/** Whether the filter needs a search. */
export function isPostingSearch(filter: PostingFilter): boolean {
  const { types, minAmount, maxAmount, counterparty, leftOut } = filter;
  return [types, minAmount, maxAmount, counterparty, leftOut].some((each) => each !== undefined);
}
