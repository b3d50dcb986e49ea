// The history of payments: of one wallet, from its own side, or of the whole house.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { type Range, readRange } from '../../http/date-range.ts';
import type { Page } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Sums } from '../../ledger/queries/totals.ts';
import { noSuchSubscriber } from '../../parties/subscriber.ts';
import type { WalletContext } from '../wallet/context.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { type DiscreetPage, discretion } from './pep-masking.ts';
import { accountView, type HistoryPage, operatorView, type TransactionRecord } from './record.ts';

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

/** How many records a page is one of. */
interface Extent {
  total: number;
  isMinimum: boolean;
  /** How many are left after the offset, where that is known. */
  left?: number | undefined;
  /** Only what is older than this seq was counted. */
  before?: number;
}

const NOTHING: HistoryPage = { transactions: [], total: 0, isMinimum: false, nextCursor: null };

/** What is passed over is counted in an index, one by one: some hundredth of a second for so many. */
const MAX_OFFSET = 100_000;

export function histories({ holders, books, totals, movementList, pep }: WalletContext) {
  const { withoutNames, withoutRecords } = discretion(pep);
  return {
    async history(actor: Actor, request: HistoryRequest): Promise<DiscreetPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      const accountId = await accountOf(actor, request.subscriber_id);
      if (accountId instanceof Refusal) return accountId;
      if (!isInTheBooks(request.status)) return NOTHING;
      if (accountId !== null) return seenBy(actor, accountId, await ofAccount(accountId, selection));
      const page = await ofTheHouse(selection);
      return page instanceof Refusal ? page : withoutRecords(actor, page);
    },
    /** Of an account that the caller may see, for the families whose records have one. */
    async accountHistory(
      actor: Actor,
      accountId: string,
      request: AccountHistoryRequest,
      sums: Sums | null,
    ): Promise<HistoryPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      if (!isInTheBooks(request.status)) return NOTHING;
      return seenBy(actor, accountId, await ofAccount(accountId, selection, sums));
    },
  };

  /** Null: everybody's. Agents and merchants see their own account alone. */
  async function accountOf(actor: Actor, subscriberId: string | undefined): Promise<string | null | Refusal> {
    const { caller } = actor;
    const own = ownAccountOf(caller);
    if (own !== null) return subscriberId === undefined ? own : ownAccountRefusal(caller);
    if (subscriberId === undefined) return null;
    const holder = await holders.byId(subscriberId);
    if (!holder) return noSuchSubscriber();
    return (await pep.refusalOf(actor, holder.id, 'history')) ?? holder.id;
  }

  /** Whose account it is knows whom it dealt with. */
  async function seenBy(
    { caller }: Actor,
    accountId: string,
    page: HistoryPage | Refusal,
  ): Promise<HistoryPage | Refusal> {
    const isOwn = ownAccountOf(caller) === accountId || partnerOf(caller) === accountId;
    return isOwn || page instanceof Refusal ? page : withoutNames(accountId, page);
  }

  async function ofAccount(
    accountId: string,
    selection: Selection,
    sums: Sums | null = null,
  ): Promise<HistoryPage | Refusal> {
    const { cursor, limit, offset, type, from, to } = selection;
    const position = cursor ? Number(cursor.position) : undefined;
    if (position !== undefined && !Number.isSafeInteger(position)) return badCursor();
    const filter = { ...(type ? { type } : {}), ...bounds({ from, to }) };
    const counts = Object.keys(filter).length > 0 || sums?.complete;
    // Nobody waits for a count that is kept on the account, and a page without filters needs none.
    const counted = counts ? await extentOf(accountId, filter, selection, sums) : null;
    const { left, before = position } = counted ?? {};
    const [page, extent] = await Promise.all([
      books.history({ accountId, ...filter, limit, offset, left, before }),
      counted ?? keptExtent(accountId),
    ]);
    if (!page) return tooFar();
    const transactions = page.entries.map((entry) => accountView(accountId, entry));
    return pageOf(transactions, atLeast(extent, offset + transactions.length), page.next?.toString() ?? null);
  }

  async function keptExtent(accountId: string): Promise<Extent> {
    return { total: (await books.balance(accountId))?.postingCount ?? 0, isMinimum: false };
  }

  /** Counted for the first page; what was counted travels in the cursor. */
  async function extentOf(
    accountId: string,
    filter: Range & { type?: string },
    { cursor, offset }: Selection,
    sums: Sums | null,
  ): Promise<Extent> {
    if (cursor) return extentLeft(cursor, offset);
    const { rows, complete } = sums ?? (await totals.byType({ accountId, ...filter }));
    const total = rows.reduce((count, row) => count + row.count, 0);
    if (!complete) return { total, isMinimum: true };
    // The page ends where the count did, whatever has come since.
    const before = Math.max(0, ...rows.map((row) => row.newest)) + 1;
    return { total, isMinimum: false, left: Math.max(0, total - offset), before };
  }

  async function ofTheHouse(selection: Selection): Promise<HistoryPage | Refusal> {
    const { cursor, limit, offset, ...filter } = selection;
    if (cursor && !cursor.position.startsWith('txn_')) return badCursor();
    const [page, extent] = await Promise.all([
      movementList.page({ ...filter, limit, offset, before: cursor?.position }),
      cursor ? extentLeft(cursor, offset) : houseExtent(filter),
    ]);
    if (!page) return tooFar();
    const transactions = page.entries.map(operatorView);
    return pageOf(transactions, atLeast(extent, offset + transactions.length), page.next);
  }

  /** Of movements it is not known how many are left: one with an older id may still be on its way into the books. */
  async function houseExtent(filter: Range & { type?: string }): Promise<Extent> {
    const { count: total, complete } = await movementList.count(filter);
    return { total, isMinimum: !complete };
  }
}

function extentLeft({ total, isMinimum = false, left }: Cursor, offset: number): Extent {
  return { total, isMinimum, left: left === undefined ? undefined : Math.max(0, left - offset) };
}

/** A minimum is never less than what is there to be seen. */
function atLeast(extent: Extent, seen: number): Extent {
  return extent.isMinimum ? { ...extent, total: Math.max(extent.total, seen) } : extent;
}

function pageOf(transactions: TransactionRecord[], extent: Extent, position: string | null): HistoryPage {
  const { total, isMinimum, left } = extent;
  const stillLeft = left === undefined ? undefined : left - transactions.length;
  const nextCursor = position === null ? null : writeCursor({ position, total, isMinimum, left: stillLeft });
  return { transactions, total, isMinimum, nextCursor };
}

function readSelection({ limit, offset, type, from, to, cursor: text }: HistoryRequest): Selection | Refusal {
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  if (offset > MAX_OFFSET) {
    const most = MAX_OFFSET.toLocaleString('en');
    return refuse('INVALID_REQUEST', `offset may be at most ${most} here: read on with cursor.`);
  }
  const cursor = text === undefined ? null : readCursor(text);
  if (text !== undefined && cursor === null) return badCursor();
  return { limit, offset, cursor, ...range, ...(type ? { type } : {}) };
}

/** The books hold what was completed and nothing else. */
export function isInTheBooks(status: string | undefined): boolean {
  return status === undefined || status === 'COMPLETED';
}

function bounds({ from, to }: { from: number | undefined; to: number | undefined }): Range {
  return { ...(from !== undefined ? { from } : {}), ...(to !== undefined ? { to } : {}) };
}

function badCursor(): Refusal {
  return refuse('INVALID_REQUEST', 'cursor is not one that this list gave.');
}

function tooFar(): Refusal {
  return refuse('INVALID_REQUEST', 'offset passes over more than can be counted in time: read on with cursor.');
}

/** The account of an agent's or processor's user, or of a key that belongs to a processor; null: any account. */
function ownAccountOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.processorId;
  if (caller.kind !== 'user' || !OWN_ACCOUNT_ONLY.includes(caller.role)) return null;
  return caller.agentId ?? caller.processorId ?? caller.id;
}

function partnerOf(caller: Caller): string | null {
  return caller.kind === 'key' ? caller.partnerId : null;
}

const OWN_ACCOUNT_ONLY = ['super_agent', 'sub_agent', 'processor'];

function ownAccountRefusal(caller: Caller): Refusal {
  const who = caller.kind === 'user' ? `The role ${caller.role}` : 'This API key';
  return refuse('FORBIDDEN', `${who} sees its own account only.`);
}
