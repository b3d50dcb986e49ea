// Reads the filters, the period, the page and the cursor of a history.
import { type Range, readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { MOVEMENT_GROUPS, type MovementGroup } from '../../ledger/movement-groups.ts';
import type { Cursor, Cursors } from './cursor.ts';

export interface AccountHistoryRequest extends Page {
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

export interface SumsRequest {
  type?: string;
  group?: MovementGroup;
  from?: string;
  to?: string;
  subscriber_id?: string;
  agent_id?: string;
  processor_id?: string;
  partner_id?: string;
  min_amount?: string;
  max_amount?: string;
}

export interface HistoryRequest extends AccountHistoryRequest, SumsRequest {
  transaction_id?: string;
  reference?: string;
  request_id?: string;
  authorization_code?: string;
}

/** What a slip or a partner's message names. Few movements match. */
export interface SlipFilter {
  movementId?: string;
  reference?: string;
  requestId?: string;
  authorizationCode?: string;
}

export interface AmountFilter {
  minAmount?: number;
  maxAmount?: number;
}

export interface TypeFilter {
  type?: string;
  /** Any of these types, instead of `type`. */
  types?: readonly string[];
}

interface Filters extends Range, TypeFilter {
  amounts: AmountFilter;
}

export interface Selection extends Filters, Page {
  slip: SlipFilter;
  cursor: Cursor | null;
}

/** The skipped records are counted one by one in an index, which takes about 10 ms for this many. */
const MAX_OFFSET = 100_000;

export function readSelection(request: HistoryRequest, cursors: Cursors): Selection | Refusal {
  const { limit, offset, cursor: text } = request;
  const filters = readFilters(request);
  if (filters instanceof Refusal) return filters;
  if (offset > MAX_OFFSET) {
    const most = MAX_OFFSET.toLocaleString('en');
    return refuse('INVALID_REQUEST', `offset may be at most ${most}. Use cursor to read on.`);
  }
  const cursor = text === undefined ? null : cursors.read(text);
  if (text !== undefined && cursor === null) return badCursor();
  return { limit, offset, cursor, slip: readSlip(request), ...filters };
}

/** What lists and their sums have in common. */
export function readFilters(request: SumsRequest): Filters | Refusal {
  const range = readRange(request);
  if (range instanceof Refusal) return range;
  const amounts = readAmounts(request);
  return amounts instanceof Refusal ? amounts : { amounts, ...range, ...readTypes(request) };
}

function readTypes({ type, group }: SumsRequest): TypeFilter {
  if (group === undefined) return type ? { type } : {};
  const types: readonly string[] = MOVEMENT_GROUPS[group];
  if (!type) return { types };
  return types.includes(type) ? { type } : { types: [] };
}

function readSlip({ transaction_id, reference, request_id, authorization_code }: HistoryRequest): SlipFilter {
  return {
    ...(transaction_id === undefined ? {} : { movementId: transaction_id }),
    ...(reference === undefined ? {} : { reference }),
    ...(request_id === undefined ? {} : { requestId: request_id }),
    // Receipts print it in capitals; people type it as they like.
    ...(authorization_code === undefined ? {} : { authorizationCode: tidy(authorization_code).toUpperCase() }),
  };
}

function readAmounts({ min_amount, max_amount }: SumsRequest): AmountFilter | Refusal {
  const amounts = {
    ...(min_amount === undefined ? {} : { minAmount: Number(min_amount) }),
    ...(max_amount === undefined ? {} : { maxAmount: Number(max_amount) }),
  };
  const { minAmount = 0, maxAmount = Number.POSITIVE_INFINITY } = amounts;
  if (minAmount <= maxAmount) return amounts;
  return refuse('INVALID_REQUEST', 'min_amount must not be greater than max_amount.');
}

export function isFiltered(filter: object): boolean {
  return Object.keys(filter).length > 0;
}

/** The ledger holds completed movements only; a filter for any other status matches nothing. */
export function includesCompleted(status: string | undefined): boolean {
  return status === undefined || status === 'COMPLETED';
}

export function badCursor(): Refusal {
  return refuse('INVALID_REQUEST', 'cursor is not a cursor of this list.');
}

export function tooFar(): Refusal {
  return refuse('INVALID_REQUEST', 'offset is too large to be skipped in time. Use cursor to read further.');
}
