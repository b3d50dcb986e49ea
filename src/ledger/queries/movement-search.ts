// Searches all movements by what a slip shows (reference, request id, authorization code), by type, amount and party. Each
// page takes bounded time: it may end before it is full, and the next one continues there.
import { textArray } from '../../db/driver/binary-arrays.ts';
import { text, textOrNull, texts } from '../../db/driver/columns.ts';
import { onCitus, type Statement, type StatementRunner, statement, type Values } from '../../db/driver/statement.ts';
import { sqlType } from '../movement-types.ts';
import { boundedScan, type ScannedRange, type ScanResult } from './bounded-scan.ts';
import type { SearchOptions } from './history-by-type.ts';
import { type LeftOut, leftOutValues, notLeftOut } from './left-out.ts';
import { typeValues } from './type-filter.ts';

export interface MovementFilter {
  type?: string;
  /** Any of these types, instead of `type`. */
  types?: readonly string[];
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
  /** Inclusive bounds on the amount, without fees. */
  minAmount?: number;
  maxAmount?: number;
  /** Each of these accounts is the payer or the payee. At most two. */
  parties?: readonly string[];
  movementId?: string;
  requestId?: string;
  reference?: string;
  /** For card payments. */
  authorizationCode?: string;
  leftOut?: LeftOut | undefined;
}

/** Ids in descending order: less than `below`, at least `lowest`; then the instants [from, to). */
export type Bounds = readonly [below: string, lowest: string, from: Date | null, to: Date | null];

export interface SearchedPage {
  bounds: Bounds;
  skip: number;
  want: number;
}

export interface MovementSearch {
  /** The ids of the movements found, newest first; null: there are more movements to skip than can be counted in time. */
  find(filter: MovementFilter, page: SearchedPage): Promise<ScanResult<string> | null>;
}

const RANGE_SIZE = 5_000;
/** A look-up by staff is answered within 100 ms. */
const SEARCH_MS = 50;

/** The types that movements_by_type leaves out, because they are frequent. */
export const FREQUENT_TYPES = [sqlType('transfer_p2p'), sqlType('pos_payment'), sqlType('agent_cashin')];

export const IN_PERIOD = `($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`;
const IS_PARTY = (value: string) => `(${value}::text is null or ${value} in (from_account, to_account))`;
const HAS_REFERENCE = `reference is not null and reference collate "C" = $10`;
export const MATCHES = `${IN_PERIOD} and ($5::text[] is null or type = any($5))
  and ($6::bigint is null or amount >= $6) and ($7::bigint is null or amount <= $7)
  and ${IS_PARTY('$8')} and ${IS_PARTY('$9')}
  and ($10::text is null or (${HAS_REFERENCE})) and ${notLeftOut('$11', '$12')}`;

/** `within`: a condition that an index serves in id order. Only these movements are read. */
const RANGE = (name: string, within: string) =>
  onCitus(
    statement(
      name,
      `select array(select id from movements
        where ${within} and id < $1 and id >= bottom.id and ${MATCHES} order by id desc limit $13),
      case when bottom.id > $2 collate "C" then bottom.id end
    from (select greatest($2::text collate "C", (select id from movements where ${within} and id < $1 and id >= $2
        order by id desc limit 1 offset $14::bigint - 1)) as id) bottom`,
      ([found, next]) => ({ found: texts(found), next: textOrNull(next) }),
    ),
    `with lowest as materialized (select id from movements where ${within} and id < $1 and id >= $2
        order by id desc limit 1 offset $14::bigint - 1),
      bottom as materialized (select greatest($2::text collate "C", (select id from lowest)) as id),
      found as materialized (select id from movements
        where ${within} and id < $1 and id >= (select id from bottom) and ${MATCHES} order by id desc limit $13)
    select array(select id from found order by id desc),
      (select case when bottom.id > $2 collate "C" then bottom.id end from bottom)`,
  );

export const SEARCH_ALL = RANGE('movements-search', 'true');
export const SEARCH_REFERENCE = RANGE('movements-search-reference', HAS_REFERENCE);
export const SEARCH_TYPE = RANGE(
  'movements-search-type',
  `type collate "C" = ($5::text[])[1] and type not in (${FREQUENT_TYPES.join(', ')})`,
);

/** For a few known ids. */
export const SEARCH_IDS = onCitus(
  statement(
    'movements-search-ids',
    `select m.id from unnest($15::text[]) as wanted (id) cross join lateral (
    select id from movements where id = wanted.id and id < $1 and id >= $2 and ${MATCHES} limit 1) m
  order by m.id desc limit $13::bigint offset $14::bigint`,
    ([id]) => text(id),
  ),
  `select id from movements where id = any($15::text[]) and id < $1 and id >= $2 and ${MATCHES}
  order by id desc limit $13::bigint offset $14::bigint`,
);

// One row per credential that used the request id.
export const IDS_OF_REQUEST = statement(
  'movements-of-request',
  'select movement_id from requests where request_id = $1',
  ([id]) => text(id),
);

/** The slip of a captured payment was printed when it was authorised: its code is the hold's. Few payments share one. */
const OF_CODE = `select id from movements where type = ${sqlType('pos_payment')} and right(id, 6) = $1`;
export const IDS_OF_CODE = onCitus(
  statement(
    'movements-of-code',
    `${OF_CODE} union all select id from hold_ends where outcome = 'captured' and right(hold_id, 6) = $1`,
    ([id]) => text(id),
  ),
  OF_CODE,
);

export function createMovementSearch(pool: StatementRunner, options: SearchOptions = {}): MovementSearch {
  const { rangeSize = RANGE_SIZE, searchMs = SEARCH_MS, now = () => performance.now() } = options;

  /** The movements that an id, a request id and a code name together; null: the filter has none of them. */
  async function namedIds(filter: MovementFilter): Promise<readonly string[] | null> {
    const { movementId, requestId, authorizationCode } = filter;
    const named = await Promise.all([
      ...(movementId === undefined ? [] : [[movementId]]),
      ...(requestId === undefined ? [] : [pool.run(IDS_OF_REQUEST, [requestId])]),
      ...(authorizationCode === undefined ? [] : [pool.run(IDS_OF_CODE, [authorizationCode])]),
    ]);
    const [first, ...others] = named;
    return first === undefined ? null : first.filter((id) => others.every((ids) => ids.includes(id)));
  }

  return {
    async find(filter, { bounds, skip, want }) {
      const [below, ...rest] = bounds;
      const values = (from: string): Values => [from, ...rest, ...movementValues(filter)];
      const ids = await namedIds(filter);
      if (ids) {
        const found = await pool.run(SEARCH_IDS, [...values(below), want, skip, textArray([...ids])]);
        return { found, next: null };
      }
      const deadline = now() + searchMs;
      const range = rangeStatement(filter);
      return boundedScan<string, ScannedRange<string>>({
        from: below,
        skip,
        want,
        async scanRange(from, limit) {
          const [scanned] = await pool.run(range, [...values(from), limit, rangeSize]);
          return scanned ?? { found: [], next: null };
        },
        isOver: () => now() >= deadline,
      });
    },
  };
}

/** The statement with the most selective index. */
function rangeStatement({ reference, type, types }: MovementFilter): Statement<ScannedRange<string>> {
  if (reference !== undefined) return SEARCH_REFERENCE;
  return type === undefined || types !== undefined || FREQUENT_TYPES.includes(`'${type}'`) ? SEARCH_ALL : SEARCH_TYPE;
}

/** The parameters of MATCHES after the bounds. */
export function movementValues(filter: MovementFilter): Values {
  const { minAmount, maxAmount, parties = [], reference, leftOut } = filter;
  const [one, other] = parties;
  const plain = [minAmount, maxAmount, one, other, reference].map((value) => value ?? null);
  return [typeValues(filter), ...plain, ...leftOutValues(leftOut)];
}

/** Whether the filter has anything besides the period and what is hidden from the reader. */
export function isSearch({ from: _, to: __, leftOut: ___, ...filter }: MovementFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
