// Sums over the movements that a list's filters leave: of one account or of all, range by range within a time limit.
import { integer, integerOrNull, textOrNull } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type Statement, type StatementRunner, statement } from '../../db/driver/statement.ts';
import { boundedConcurrency } from '../../kernel/bounded-concurrency.ts';
import { rangeOf } from './account-history.ts';
import { MATCHES as POSTING_MATCHES, type PostingFilter, postingValues } from './account-search.ts';
import type { SearchOptions } from './history-by-type.ts';
import { bounds } from './movement-list.ts';
import { MATCHES as MOVEMENT_MATCHES, type MovementFilter, movementValues } from './movement-search.ts';

export interface ListSums {
  count: number;
  /** Without fees and signs. */
  amount: number;
  fee: number;
  /** False: the sums are a minimum. */
  complete: boolean;
}

export interface AccountSumsQuery extends PostingFilter {
  accountId: string;
  type?: string;
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
}

export interface FilteredSums {
  all(filter: Omit<MovementFilter, 'parties' | 'movementId' | 'requestId' | 'authorizationCode'>): Promise<ListSums>;
  ofAccount(query: AccountSumsQuery): Promise<ListSums>;
}

const RANGE_SIZE = 20_000;
const SUM_MS = 500;
/** Of all callers of a gateway: one login could otherwise keep the connections that every list is read with. */
const AT_ONCE = { maxRunning: 2, maxWaiting: 8 };

const MATCHING = (sum: string, matches: string) => `coalesce(sum(${sum}) filter (where ${matches}), 0)`;

interface Range<Position> extends Omit<ListSums, 'complete'> {
  /** Where the next range starts; null: this was the last one. */
  next: Position | null;
}

const rangeSums = ([count, amount, fee]: Columns) => ({
  count: integer(count),
  amount: integer(amount),
  fee: integer(fee),
});

export const SUM_OF_MOVEMENTS = statement(
  'movements-sum',
  `select count(*) filter (where ${MOVEMENT_MATCHES}), ${MATCHING('amount', MOVEMENT_MATCHES)},
    ${MATCHING('fee', MOVEMENT_MATCHES)}, case when count(*) = $13::bigint then min(id) end
  from (select id, type, at, amount, fee, from_account, to_account, reference from movements
    where id < $1 and id >= $2 order by id desc limit $13::bigint) part`,
  (columns): Range<string> => ({ ...rangeSums(columns), next: textOrNull(columns[3] ?? null) }),
);

const PAGE =
  'select seq, movement_id, fee from postings where account_id = $1 and seq < $2 and seq >= $3 order by seq desc limit $10::bigint';
const OF_PAGE = `select count(*) filter (where ${POSTING_MATCHES}), ${MATCHING('m.amount', POSTING_MATCHES)},
    ${MATCHING('p.fee', POSTING_MATCHES)}, case when count(*) = $10::bigint then min(p.seq) end`;
export const SUM_OF_POSTINGS = onCitus(
  statement(
    'postings-sum',
    `${OF_PAGE} from (${PAGE}) p cross join lateral (
      select id, type, amount, from_account, to_account from movements where id = p.movement_id limit 1) m`,
    (columns): Range<number> => ({ ...rangeSums(columns), next: integerOrNull(columns[3] ?? null) }),
  ),
  `with p as materialized (${PAGE}) ${OF_PAGE} from p join movements m on m.id = p.movement_id`,
);

export function createFilteredSums(pool: StatementRunner, options: SearchOptions = {}): FilteredSums {
  const { rangeSize = RANGE_SIZE, searchMs = SUM_MS, now = () => performance.now() } = options;
  const inTurn = boundedConcurrency(AT_ONCE);

  /** At least one range is summed, however short the time limit. */
  async function sum<Position>(
    start: Position,
    of: Statement<Range<Position>>,
    values: (from: Position) => Parameters<StatementRunner['run']>[1],
  ): Promise<ListSums> {
    const deadline = now() + searchMs;
    const sums = { count: 0, amount: 0, fee: 0 };
    for (let from: Position | null = start; from !== null; ) {
      if (from !== start && now() >= deadline) return { ...sums, complete: false };
      const [range]: Range<Position>[] = await pool.run(of, values(from));
      sums.count += range?.count ?? 0;
      sums.amount += range?.amount ?? 0;
      sums.fee += range?.fee ?? 0;
      from = range?.next ?? null;
    }
    return { ...sums, complete: true };
  }

  return {
    all(filter) {
      const [below, ...rest] = bounds(filter);
      const filters = movementValues(filter);
      return inTurn(() => sum(below, SUM_OF_MOVEMENTS, (from) => [from, ...rest, ...filters, rangeSize]));
    },
    ofAccount(query) {
      const [accountId, below, from] = rangeOf(query);
      const filters = postingValues(query);
      return inTurn(() => sum(below, SUM_OF_POSTINGS, (start) => [accountId, start, from, ...filters, rangeSize]));
    },
  };
}
