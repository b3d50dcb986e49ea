// Sums: over what a list's filters leave, and over consecutive periods of one account.
import type { Actor } from '../../audit/log.ts';
import type { Range } from '../../http/date-range.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { FilteredSums, ListSums } from '../../ledger/queries/movement-sums.ts';
import type { AccountTotals, TypeTotals } from '../../ledger/queries/totals.ts';
import { type AccessDependencies, createAccess, ownAccountOf } from './access.ts';
import type { MaskingDependencies } from './pep-masking.ts';
import { isFiltered, readFilters, type SumsRequest } from './selection.ts';

export interface SumsDependencies extends AccessDependencies, MaskingDependencies {
  books: Books;
  totals: AccountTotals;
  filteredSums: FilteredSums;
}

/** Sums of consecutive periods of one account. */
export interface PeriodSums {
  /** One per period; null where the caller may not see them, or while they are pending. */
  periods: TypeTotals[][] | null;
  isPending: boolean;
  /** Present if some of it is archived, and not summed. */
  archivedBefore?: number;
}

const MOST_DAYS = 31;
const NOTHING: ListSums = { count: 0, amount: 0, fee: 0, complete: true };

export function createSums(dependencies: SumsDependencies) {
  const { books, totals, filteredSums, pepPayments } = dependencies;
  const accountsOf = createAccess(dependencies);

  /** Of the records that the list with the same filters shows to the caller. */
  async function sums(actor: Actor, request: SumsRequest): Promise<ListSums | Refusal> {
    const read = readFilters(request);
    if (read instanceof Refusal) return read;
    const { amounts, from, to, ...types } = read;
    const accounts = await accountsOf(actor, request);
    if (accounts instanceof Refusal) return accounts;
    const [accountId, counterparty, third] = accounts;
    if (accountId === undefined && !isShort({ from, to })) return tooLong();
    if (third !== undefined) return NOTHING;
    const live = Math.max(from ?? 0, (await books.archivedBefore()) ?? 0);
    const period = { from: live, ...(to === undefined ? {} : { to }) };
    if (to !== undefined && live > to) return NOTHING;
    if (accountId === undefined) {
      const leftOut = await pepPayments.leftOut(actor.caller);
      return filteredSums.all({ ...types, ...amounts, ...period, leftOut });
    }
    const isOwn = ownAccountOf(actor.caller) !== null;
    const leftOut = isOwn ? undefined : await pepPayments.leftOutOf(actor.caller, accountId);
    const isPlain = !isFiltered(amounts) && counterparty === undefined && !leftOut;
    if (!isPlain) return filteredSums.ofAccount({ accountId, ...types, ...amounts, ...period, counterparty, leftOut });
    const { rows, complete } = await totals.byType({ accountId, ...period });
    return { ...added(rows.filter(({ type }) => isOfType(types, type))), complete };
  }

  /** For features whose records have an account; they check first that the caller may see it. */
  async function sumsByPeriod(
    { caller }: Actor,
    accountId: string,
    periods: readonly Required<Range>[],
  ): Promise<PeriodSums> {
    const archived = await books.archivedBefore();
    const mark = archived === null || (periods[0]?.from ?? 0) >= archived ? {} : { archivedBefore: archived };
    // The sums of a chosen period and its visible records would give away a hidden one.
    const isHidden = ownAccountOf(caller) === null && (await pepPayments.hidesBalances(caller, accountId));
    if (isHidden) return { periods: null, isPending: false, ...mark };
    const found: TypeTotals[][] = [];
    // One after the other, so that a long chart does not hold up other requests.
    for (const { from, to } of periods) {
      const live = Math.max(from, archived ?? 0);
      const { rows, complete } =
        live > to ? { rows: [], complete: true } : await totals.byType({ accountId, from: live, to });
      if (!complete) return { periods: null, isPending: true, ...mark };
      found.push(rows);
    }
    return { periods: found, isPending: false, ...mark };
  }

  return { sums, sumsByPeriod };
}

const isShort = ({ from, to }: { from: number | undefined; to: number | undefined }) =>
  from !== undefined && to !== undefined && to - from < MOST_DAYS * DAY_MS;

const tooLong = () =>
  refuse('INVALID_REQUEST', `Sums need from and to, at most ${MOST_DAYS} days apart, or an account.`);

function isOfType({ type, types }: { type?: string; types?: readonly string[] }, each: string): boolean {
  return types ? types.includes(each) : type === undefined || type === each;
}

function added(rows: TypeTotals[]): Omit<ListSums, 'complete'> {
  const sum = (of: 'count' | 'amount' | 'fee') => rows.reduce((total, row) => total + row[of], 0);
  return { count: sum('count'), amount: sum('amount'), fee: sum('fee') };
}
