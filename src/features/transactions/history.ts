// The transaction history: of one account from its own side, or of all accounts for the operator.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import type { Vault } from '../../auth/vault.ts';
import type { Range } from '../../http/date-range.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { HistoryEntry } from '../../ledger/queries/account-history.ts';
import type { LeftOut } from '../../ledger/queries/left-out.ts';
import type { MovementEntry, MovementList } from '../../ledger/queries/movement-list.ts';
import type { Sums, TypeTotals } from '../../ledger/queries/totals.ts';
import { createAccess, ownAccountOf } from './access.ts';
import { createCursors } from './cursor.ts';
import { atLeast, countFromCursor, countSeen, type MatchCount } from './match-count.ts';
import { createHistoryNames, type HistoryNameDependencies } from './names.ts';
import { createPepMasking, withoutCustomers } from './pep-masking.ts';
import { accountView, type HistoryPage, operatorView, type TransactionRecord, withoutOthersRequest } from './record.ts';
import {
  type AccountHistoryRequest,
  badCursor,
  type HistoryRequest,
  includesCompleted,
  isFiltered,
  readSelection,
  type Selection,
  type TypeFilter,
  tooFar,
} from './selection.ts';
import { createSums, type SumsDependencies } from './sums.ts';

export interface TransactionsDependencies extends SumsDependencies, HistoryNameDependencies {
  vault: Vault;
  movementList: MovementList;
}

/** A page of the history of one account, with totals over the same filters. */
export interface SummedHistory extends HistoryPage {
  /** By type and direction, for all matching records; null after the first page and while pending. */
  sums: TypeTotals[] | null;
  /** The totals exceed the time limit of a request and are still being computed. */
  sumsPending: boolean;
}

const NO_SUMS: Sums = { rows: [], complete: true };
const NOTHING: HistoryPage = { transactions: [], total: 0, isMinimum: false, nextCursor: null };

export type Transactions = ReturnType<typeof createTransactions>;

export function createTransactions(dependencies: TransactionsDependencies) {
  const { books, totals, movementList, pepPayments } = dependencies;
  const accountsOf = createAccess(dependencies);
  const visible = createPepMasking(dependencies);
  const cursors = createCursors(dependencies.vault);
  const withNames = createHistoryNames(dependencies);
  return {
    ...createSums(dependencies),
    async history(actor: Actor, request: HistoryRequest): Promise<HistoryPage | Refusal> {
      const selection = readSelection(request, cursors);
      if (selection instanceof Refusal) return selection;
      const accounts = await accountsOf(actor, request);
      if (accounts instanceof Refusal) return accounts;
      const [accountId, counterparty, third] = accounts;
      // A movement has two parties.
      if (!includesCompleted(request.status) || third !== undefined) return NOTHING;
      if (accountId === undefined) return named(actor, selection, operatorPage(actor, selection));
      const page = isFiltered(selection.slip)
        ? slipPage(actor, accounts, selection)
        : accountPage(actor, accountId, selection, { counterparty });
      return named(actor, selection, page);
    },
    accountHistory,
    /** The same, with totals of all matching records on the first page. */
    async summedHistory(
      actor: Actor,
      accountId: string,
      request: AccountHistoryRequest,
    ): Promise<SummedHistory | Refusal> {
      const summed = request.cursor === undefined ? await sumsOf(accountId, request) : null;
      if (summed instanceof Refusal) return summed;
      // The first page ends at the newest summed record, so that page and totals cover the same records.
      const page = await accountHistory(actor, accountId, request, summed);
      if (page instanceof Refusal) return page;
      const sums = summed?.complete && (await showsSums(actor, accountId, request)) ? summed.rows : null;
      return { ...page, sums, sumsPending: summed?.complete === false };
    },
  };

  /** For features whose records have an account; they check first that the caller may see it. */
  async function accountHistory(
    actor: Actor,
    accountId: string,
    request: AccountHistoryRequest,
    sums: Sums | null,
  ): Promise<HistoryPage | Refusal> {
    const selection = readSelection(request, cursors);
    if (selection instanceof Refusal) return selection;
    if (!includesCompleted(request.status)) return NOTHING;
    return named(actor, selection, accountPage(actor, accountId, selection, { sums }));
  }

  /** The sums of a chosen period and its visible records would give away a hidden one. */
  async function showsSums(
    { caller }: Actor,
    accountId: string,
    { from, to }: AccountHistoryRequest,
  ): Promise<boolean> {
    const isWhole = from === undefined && to === undefined;
    return isWhole || ownAccountOf(caller) !== null || !(await pepPayments.hidesBalances(caller, accountId));
  }

  async function sumsOf(accountId: string, request: AccountHistoryRequest): Promise<Sums | Refusal> {
    const selection = readSelection(request, cursors);
    if (selection instanceof Refusal) return selection;
    if (!includesCompleted(request.status)) return NO_SUMS;
    const { type, from, to } = selection;
    const live = liveFrom(from, await books.archivedBefore());
    return totals.byType({ accountId, ...(type ? { type } : {}), ...bounds({ from: live, to }) });
  }

  /** Says so if a part of the period is archived. */
  async function marked<Page extends object>({ from = 0 }: Range, page: Page): Promise<Page> {
    const archivedBefore = await books.archivedBefore();
    return archivedBefore === null || from >= archivedBefore || page instanceof Refusal
      ? page
      : { ...page, archivedBefore };
  }

  async function named(
    actor: Actor,
    selection: Selection,
    read: Promise<HistoryPage | Refusal>,
  ): Promise<HistoryPage | Refusal> {
    const page = await read;
    if (page instanceof Refusal) return page;
    const all = await withNames(actor, await marked(selection, page));
    return ownAccountOf(actor.caller) === null ? all : { ...all, transactions: all.transactions.map(withoutCustomers) };
  }

  /** What the caller may not see of an account, or of all. Parties to a payment see their own. */
  async function leftOutOf({ caller }: Actor, accountId?: string): Promise<LeftOut | undefined> {
    if (ownAccountOf(caller) !== null) return undefined;
    return accountId === undefined ? pepPayments.leftOut(caller) : pepPayments.leftOutOf(caller, accountId);
  }

  async function accountPage(
    actor: Actor,
    accountId: string,
    selection: Selection,
    { sums = null, counterparty }: { sums?: Sums | null; counterparty?: string | undefined },
  ): Promise<HistoryPage | Refusal> {
    const { cursor, limit, offset, type, from, to } = selection;
    const position = cursor ? Number(cursor.position) : undefined;
    if (position !== undefined && !Number.isSafeInteger(position)) return badCursor();
    const archived = await books.archivedBefore();
    const isWhole = !isFiltered({ ...(type ? { type } : {}), ...bounds({ from, to }) });
    const filter = { ...(type ? { type } : {}), ...bounds({ from: liveFrom(from, archived), to }) };
    const { amounts, types } = selection;
    const search = { ...amounts, ...(types ? { types } : {}), ...(counterparty === undefined ? {} : { counterparty }) };
    const leftOut = await leftOutOf(actor, accountId);
    const needsCount = !isFiltered(search) && (!isWhole || sums?.complete || leftOut);
    // Without filters the count is stored on the account, and is read together with the page.
    const counted = needsCount ? await countMatches(accountId, { ...filter, leftOut }, selection, sums) : null;
    const { left, before = position } = counted ?? {};
    const [page, matches] = await Promise.all([
      books.history({ accountId, ...filter, ...search, leftOut, limit, offset, left, before }),
      counted ?? storedCount(accountId, archived),
    ]);
    if (!page) return tooFar();
    const records = page.entries.map((entry) => viewFor(actor, accountId, entry));
    const transactions = await visible(actor, accountId, records);
    const next = page.next?.toString() ?? null;
    if (isFiltered(search)) return pageOf(transactions, countSeen(selection, transactions.length, next), next);
    return pageOf(transactions, atLeast(matches, offset + records.length), next, records.length);
  }

  /** The few movements that a slip names, from the side of the first account. */
  async function slipPage(
    actor: Actor,
    parties: readonly string[],
    selection: Selection,
  ): Promise<HistoryPage | Refusal> {
    const page = await searchPage(selection, await leftOutOf(actor), parties);
    if (page instanceof Refusal) return page;
    const [accountId = ''] = parties;
    const postings = await books.postingsOf(accountId, page.entries);
    const viewOf = ({ id, ...entry }: MovementEntry) => {
      const posting = postings.get(id);
      if (!posting) throw new Error(`movement ${id} has no posting on ${accountId}`);
      return viewFor(actor, accountId, { ...entry, ...posting });
    };
    const transactions = await visible(actor, accountId, page.entries.map(viewOf));
    return pageOf(transactions, countSeen(selection, transactions.length, page.next), page.next);
  }

  async function searchPage(
    { cursor, slip, amounts, ...filter }: Selection,
    leftOut: LeftOut | undefined,
    parties?: readonly string[],
  ) {
    if (cursor && !cursor.position.startsWith('txn_')) return badCursor();
    const query = { ...filter, ...slip, ...amounts, leftOut, ...(parties ? { parties } : {}) };
    return (await movementList.page({ ...query, before: cursor?.position })) ?? tooFar();
  }

  async function storedCount(accountId: string, archived: number | null): Promise<MatchCount> {
    const all = (await books.balance(accountId))?.postingCount ?? 0;
    return {
      total: archived === null ? all : all - (await books.archivedCount(accountId, archived)),
      isMinimum: false,
    };
  }

  /** Counted for the first page; the cursor carries the count to later pages. */
  async function countMatches(
    accountId: string,
    { leftOut, ...filter }: Range & { type?: string; leftOut: LeftOut | undefined },
    { cursor, offset }: Selection,
    sums: Sums | null,
  ): Promise<MatchCount> {
    if (cursor) return countFromCursor(cursor, offset);
    if (leftOut) {
      const { count, complete } = await books.count({ accountId, ...filter, leftOut });
      return { total: count, isMinimum: !complete };
    }
    const { rows, complete } = sums ?? (await totals.byType({ accountId, ...filter }));
    const total = rows.reduce((count, row) => count + row.count, 0);
    if (!complete) return { total, isMinimum: true };
    // The page must not contain movements that were posted after the count.
    const before = Math.max(0, ...rows.map((row) => row.newest)) + 1;
    return { total, isMinimum: false, left: Math.max(0, total - offset), before };
  }

  async function operatorPage(actor: Actor, selection: Selection): Promise<HistoryPage | Refusal> {
    const { cursor, limit: _, offset, slip, amounts, ...filter } = selection;
    const isSearch = isFiltered(slip) || isFiltered(amounts);
    const leftOut = await leftOutOf(actor);
    const [page, counted] = await Promise.all([
      searchPage(selection, leftOut),
      isSearch ? null : cursor ? countFromCursor(cursor, offset) : countMovements({ ...filter, leftOut }),
    ]);
    if (page instanceof Refusal) return page;
    const records = page.entries.map((entry) => operatorView(entry, isStaff(actor.caller)));
    const transactions = await visible(actor, null, records);
    if (!counted) return pageOf(transactions, countSeen(selection, transactions.length, page.next), page.next);
    return pageOf(transactions, atLeast(counted, offset + records.length), page.next, records.length);
  }

  /** The number of movements left is unknown: one with an older id may still be posted. */
  async function countMovements(filter: Range & TypeFilter & { leftOut: LeftOut | undefined }): Promise<MatchCount> {
    const { count: total, complete } = await movementList.count(filter);
    return { total, isMinimum: !complete };
  }

  /** `read`: the number of records that the page has read, seen or not. */
  function pageOf(
    transactions: TransactionRecord[],
    { total, isMinimum, left }: MatchCount,
    position: string | null,
    read = transactions.length,
  ): HistoryPage {
    const stillLeft = left === undefined ? undefined : left - read;
    const nextCursor = position === null ? null : cursors.write({ position, total, isMinimum, left: stillLeft });
    return { transactions, total, isMinimum, nextCursor };
  }
}

function viewFor({ caller }: Actor, accountId: string, entry: HistoryEntry): TransactionRecord {
  const seen = ownAccountOf(caller) === null ? entry : withoutOthersRequest(accountId, entry);
  return accountView(accountId, seen, isStaff(caller));
}

/** Archived records are neither listed nor counted. */
function liveFrom(from: number | undefined, archived: number | null): number | undefined {
  return archived === null ? from : Math.max(from ?? 0, archived);
}

function bounds({ from, to }: { from: number | undefined; to: number | undefined }): Range {
  return { ...(from !== undefined ? { from } : {}), ...(to !== undefined ? { to } : {}) };
}
