// The transaction history: of one account from its own side, or of all accounts for the operator.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isStaff } from '../../auth/caller.ts';
import { type Range, readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { MovementList } from '../../ledger/queries/movement-list.ts';
import type { AccountTotals, Sums } from '../../ledger/queries/totals.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { createPepMasking, type MaskedPage } from './pep-masking.ts';
import { accountView, type HistoryPage, operatorView, type TransactionRecord } from './record.ts';

export interface TransactionsDependencies {
  holders: Holders;
  books: Books;
  totals: AccountTotals;
  movementList: MovementList;
  pep: PepGuard;
}

export interface AccountHistoryRequest extends Page {
  type?: string;
  status?: string;
  from?: string;
  to?: string;
  cursor?: string;
}

export interface HistoryRequest extends AccountHistoryRequest {
  subscriber_id?: string;
}

interface Selection extends Range, Page {
  type?: string;
  cursor: Cursor | null;
}

/** The number of records that match. */
interface MatchCount {
  total: number;
  isMinimum: boolean;
  /** The number of records after the offset, if known. */
  left?: number | undefined;
  /** Only postings with a lower seq were counted. */
  before?: number;
}

const NOTHING: HistoryPage = { transactions: [], total: 0, isMinimum: false, nextCursor: null };

/** The skipped records are counted one by one in an index, which takes about 10 ms for this many. */
const MAX_OFFSET = 100_000;

export type Transactions = ReturnType<typeof createTransactions>;

export function createTransactions({ holders, books, totals, movementList, pep }: TransactionsDependencies) {
  const { maskCounterparties, maskRecords } = createPepMasking(pep);
  return {
    async history(actor: Actor, request: HistoryRequest): Promise<MaskedPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      const accountId = await accountOf(actor, request.subscriber_id);
      if (accountId instanceof Refusal) return accountId;
      if (!includesCompleted(request.status)) return NOTHING;
      if (accountId !== null) return maskedFor(actor, accountId, await accountPage(actor, accountId, selection));
      const page = await operatorPage(actor, selection);
      return page instanceof Refusal ? page : maskRecords(actor, page);
    },
    /** For features whose records have an account; they check first that the caller may see it. */
    async accountHistory(
      actor: Actor,
      accountId: string,
      request: AccountHistoryRequest,
      sums: Sums | null,
    ): Promise<HistoryPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      if (!includesCompleted(request.status)) return NOTHING;
      return maskedFor(actor, accountId, await accountPage(actor, accountId, selection, sums));
    },
  };

  /** The account to list; null for all accounts. Agents, merchants and keys with an owner see only their own account. */
  async function accountOf(actor: Actor, subscriberId: string | undefined): Promise<string | null | Refusal> {
    const { caller } = actor;
    const own = ownAccountOf(caller);
    if (own !== null) return subscriberId === undefined ? own : ownAccountRefusal(caller);
    if (subscriberId === undefined) return null;
    const holder = await holders.byId(subscriberId);
    if (!holder) return noSuchSubscriber();
    return (await pep.refusalOf(actor, holder.id, 'history')) ?? holder.id;
  }

  /** The owner of an account knows its counterparties: they are masked for other callers only. */
  async function maskedFor(
    { caller }: Actor,
    accountId: string,
    page: HistoryPage | Refusal,
  ): Promise<HistoryPage | Refusal> {
    return ownAccountOf(caller) === accountId || page instanceof Refusal ? page : maskCounterparties(accountId, page);
  }

  async function accountPage(
    { caller }: Actor,
    accountId: string,
    selection: Selection,
    sums: Sums | null = null,
  ): Promise<HistoryPage | Refusal> {
    const { cursor, limit, offset, type, from, to } = selection;
    const position = cursor ? Number(cursor.position) : undefined;
    if (position !== undefined && !Number.isSafeInteger(position)) return badCursor();
    const filter = { ...(type ? { type } : {}), ...bounds({ from, to }) };
    const needsCount = Object.keys(filter).length > 0 || sums?.complete;
    // Without filters the count is stored on the account, and is read together with the page.
    const counted = needsCount ? await countMatches(accountId, filter, selection, sums) : null;
    const { left, before = position } = counted ?? {};
    const [page, matches] = await Promise.all([
      books.history({ accountId, ...filter, limit, offset, left, before }),
      counted ?? storedCount(accountId),
    ]);
    if (!page) return tooFar();
    const transactions = page.entries.map((entry) => accountView(accountId, entry, isStaff(caller)));
    return pageOf(transactions, atLeast(matches, offset + transactions.length), page.next?.toString() ?? null);
  }

  async function storedCount(accountId: string): Promise<MatchCount> {
    return { total: (await books.balance(accountId))?.postingCount ?? 0, isMinimum: false };
  }

  /** Counted for the first page; the cursor carries the count to later pages. */
  async function countMatches(
    accountId: string,
    filter: Range & { type?: string },
    { cursor, offset }: Selection,
    sums: Sums | null,
  ): Promise<MatchCount> {
    if (cursor) return countFromCursor(cursor, offset);
    const { rows, complete } = sums ?? (await totals.byType({ accountId, ...filter }));
    const total = rows.reduce((count, row) => count + row.count, 0);
    if (!complete) return { total, isMinimum: true };
    // The page must not contain movements that were posted after the count.
    const before = Math.max(0, ...rows.map((row) => row.newest)) + 1;
    return { total, isMinimum: false, left: Math.max(0, total - offset), before };
  }

  async function operatorPage({ caller }: Actor, selection: Selection): Promise<HistoryPage | Refusal> {
    const { cursor, limit, offset, ...filter } = selection;
    if (cursor && !cursor.position.startsWith('txn_')) return badCursor();
    const [page, matches] = await Promise.all([
      movementList.page({ ...filter, limit, offset, before: cursor?.position }),
      cursor ? countFromCursor(cursor, offset) : countMovements(filter),
    ]);
    if (!page) return tooFar();
    const transactions = page.entries.map((entry) => operatorView(entry, isStaff(caller)));
    return pageOf(transactions, atLeast(matches, offset + transactions.length), page.next);
  }

  /** The number of movements left is unknown: one with an older id may still be posted. */
  async function countMovements(filter: Range & { type?: string }): Promise<MatchCount> {
    const { count: total, complete } = await movementList.count(filter);
    return { total, isMinimum: !complete };
  }
}

function countFromCursor({ total, isMinimum = false, left }: Cursor, offset: number): MatchCount {
  return { total, isMinimum, left: left === undefined ? undefined : Math.max(0, left - offset) };
}

/** A lower bound is never less than the number of records already shown. */
function atLeast(matches: MatchCount, seen: number): MatchCount {
  return matches.isMinimum ? { ...matches, total: Math.max(matches.total, seen) } : matches;
}

function pageOf(transactions: TransactionRecord[], matches: MatchCount, position: string | null): HistoryPage {
  const { total, isMinimum, left } = matches;
  const stillLeft = left === undefined ? undefined : left - transactions.length;
  const nextCursor = position === null ? null : writeCursor({ position, total, isMinimum, left: stillLeft });
  return { transactions, total, isMinimum, nextCursor };
}

function readSelection({ limit, offset, type, from, to, cursor: text }: HistoryRequest): Selection | Refusal {
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  if (offset > MAX_OFFSET) {
    const most = MAX_OFFSET.toLocaleString('en');
    return refuse('INVALID_REQUEST', `offset may be at most ${most}. Use cursor to read further.`);
  }
  const cursor = text === undefined ? null : readCursor(text);
  if (text !== undefined && cursor === null) return badCursor();
  return { limit, offset, cursor, ...range, ...(type ? { type } : {}) };
}

/** The ledger holds completed movements only; a filter for any other status matches nothing. */
export function includesCompleted(status: string | undefined): boolean {
  return status === undefined || status === 'COMPLETED';
}

function bounds({ from, to }: { from: number | undefined; to: number | undefined }): Range {
  return { ...(from !== undefined ? { from } : {}), ...(to !== undefined ? { to } : {}) };
}

function badCursor(): Refusal {
  return refuse('INVALID_REQUEST', 'cursor is not a cursor of this list.');
}

function tooFar(): Refusal {
  return refuse('INVALID_REQUEST', 'offset is too large to be skipped in time. Use cursor to read further.');
}

/** The account of an agent's or processor's user, or of a key with an owner; null: any account. */
function ownAccountOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.partnerId ?? caller.processorId;
  if (caller.kind !== 'user' || !OWN_ACCOUNT_ONLY.includes(caller.role)) return null;
  return caller.agentId ?? caller.processorId ?? caller.id;
}

const OWN_ACCOUNT_ONLY = ['super_agent', 'sub_agent', 'processor'];

function ownAccountRefusal(caller: Caller): Refusal {
  const who = caller.kind === 'user' ? `The role ${caller.role}` : 'This API key';
  return refuse('FORBIDDEN', `${who} can see only its own account.`);
}
