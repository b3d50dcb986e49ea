// The history of payments: of one wallet, from its own side, or of the whole house.
import type { Caller } from '../../auth/caller.ts';
import type { Page } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { MovementEntry } from '../../ledger/movement-list.ts';
import type { HistoryEntry } from '../../ledger/reading.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { noSuchSubscriber, type WalletParts } from './parts.ts';
import { type Range, readRange } from './range.ts';

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

/** What was counted before the first page was read: the page then ends where the count did, whatever has come since. */
export interface Counted {
  count: number;
  /** The seq of the newest that was counted. */
  newest: number;
}

export interface HistoryPage {
  transactions: TransactionRecord[];
  total: number;
  nextCursor: string | null;
}

export type TransactionRecord = ReturnType<typeof seenFrom>;

interface Selection extends Range, Page {
  type?: string;
  cursor: Cursor | null;
}

const NOTHING: HistoryPage = { transactions: [], total: 0, nextCursor: null };

export function histories({ holders, books, movementList }: WalletParts) {
  return {
    async history(caller: Caller, request: HistoryRequest): Promise<HistoryPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      const accountId = await accountOf(caller, request.subscriber_id);
      if (accountId instanceof Refusal) return accountId;
      if (!isInTheBooks(request.status)) return NOTHING;
      return accountId === null ? ofTheHouse(selection) : ofAccount(accountId, selection);
    },
    /** Of an account that the caller may see, for the families whose records have one. */
    async accountHistory(
      accountId: string,
      request: AccountHistoryRequest,
      counted: Counted | null,
    ): Promise<HistoryPage | Refusal> {
      const selection = readSelection(request);
      if (selection instanceof Refusal) return selection;
      return isInTheBooks(request.status) ? ofAccount(accountId, selection, counted) : NOTHING;
    },
  };

  /** Null: everybody's. Agents and merchants see their own account alone. */
  async function accountOf(caller: Caller, subscriberId: string | undefined): Promise<string | null | Refusal> {
    const own = ownAccountOf(caller);
    if (own !== null) return subscriberId === undefined ? own : ownAccountRefusal(caller);
    if (subscriberId === undefined) return null;
    const holder = await holders.byId(subscriberId);
    return holder ? holder.id : noSuchSubscriber();
  }

  async function ofAccount(
    accountId: string,
    { cursor, limit, ...selection }: Selection,
    counted: Counted | null = null,
  ): Promise<HistoryPage | Refusal> {
    const before = cursor ? Number(cursor.position) : counted ? counted.newest + 1 : undefined;
    if (before !== undefined && !Number.isSafeInteger(before)) return badCursor();
    const bound = before === undefined ? {} : { before };
    // Where it is known how many there are, the walk ends at the last of them and not at the first posting of all.
    const left = counted ? Math.max(0, counted.count - selection.offset) : Number.POSITIVE_INFINITY;
    const query = { accountId, ...selection, limit: Math.min(limit + 1, left), ...bound };
    const [entries, total] = await Promise.all([
      books.history(query),
      counted?.count ?? countOf(accountId, selection, cursor),
    ]);
    const page = entries.slice(0, limit);
    const transactions = page.map((entry) => seenFrom(accountId, entry));
    return { transactions, total, nextCursor: next(entries, page, total, ({ seq }) => String(seq)) };
  }

  /** Kept on the account where nothing is filtered; otherwise counted for the first page. */
  async function countOf(
    accountId: string,
    { type, from, to }: Omit<Selection, 'limit' | 'cursor'>,
    cursor: Cursor | null,
  ) {
    const filter = { ...(type ? { type } : {}), ...bounds({ from, to }) };
    if (Object.keys(filter).length === 0) return (await books.figures(accountId))?.postingCount ?? 0;
    return cursor?.total ?? books.historyCount({ accountId, ...filter, limit: 0 });
  }

  async function ofTheHouse({ cursor, limit, ...selection }: Selection): Promise<HistoryPage | Refusal> {
    if (cursor && !cursor.position.startsWith('txn_')) return badCursor();
    const query = { ...selection, limit: limit + 1, ...(cursor ? { before: cursor.position } : {}) };
    const [entries, total] = await Promise.all([
      movementList.page(query),
      cursor?.total ?? movementList.count({ ...selection, limit: 0 }),
    ]);
    const page = entries.slice(0, limit);
    return { transactions: page.map(seenFromAbove), total, nextCursor: next(entries, page, total, ({ id }) => id) };
  }
}

function readSelection({ limit, offset, type, from, to, cursor: text }: HistoryRequest): Selection | Refusal {
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
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

/** The account of an agent's or processor's user, or of a key that belongs to a processor; null: any account. */
function ownAccountOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.processorId;
  if (caller.kind !== 'user' || !OWN_ACCOUNT_ONLY.includes(caller.role)) return null;
  return caller.agentId ?? caller.processorId ?? caller.id;
}

const OWN_ACCOUNT_ONLY = ['super_agent', 'sub_agent', 'processor'];

function ownAccountRefusal(caller: Caller): Refusal {
  const who = caller.kind === 'user' ? `The role ${caller.role}` : 'This API key';
  return refuse('FORBIDDEN', `${who} sees its own account only.`);
}

/** One more than the page holds was asked for: if it is there, the page has a successor. */
function next<Entry>(
  entries: Entry[],
  page: Entry[],
  total: number,
  position: (entry: Entry) => string,
): string | null {
  const last = page.at(-1);
  return last && entries.length > page.length ? writeCursor({ position: position(last), total }) : null;
}

/** What a movement was to one account. */
export function seenFrom(accountId: string, entry: HistoryEntry) {
  const paid = entry.fromAccount === accountId;
  return {
    transaction_id: entry.movementId,
    type: entry.type,
    direction: paid ? 'debit' : ('credit' as 'debit' | 'credit' | null),
    amount: entry.amount,
    fee: entry.fee,
    balance_after: entry.balanceAfter as number | null,
    counterparty: (paid ? entry.toAccount : entry.fromAccount) as string | null,
    payer_id: entry.fromAccount as string | null,
    payee_id: entry.toAccount as string | null,
    narration: entry.narration,
    status: 'COMPLETED',
    request_id: entry.requestId,
    reference: entry.reference,
    created_at: iso(entry.at),
    metadata: entry.metadata,
  };
}

/** Seen from nobody's side there is no direction, no balance and no counterparty: both parties are named. */
function seenFromAbove(entry: MovementEntry): TransactionRecord {
  return {
    transaction_id: entry.id,
    type: entry.type,
    direction: null,
    amount: entry.amount,
    fee: entry.fee,
    balance_after: null,
    counterparty: null,
    payer_id: entry.fromAccount,
    payee_id: entry.toAccount,
    narration: entry.narration,
    status: 'COMPLETED',
    request_id: entry.requestId,
    reference: entry.reference,
    created_at: iso(entry.at),
    metadata: entry.metadata,
  };
}
