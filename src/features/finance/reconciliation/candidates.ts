// Candidates for a match: items of the same amount and counterparty within a window of days.
import { sortInSlices } from './sort-in-slices.ts';

export interface Item {
  /** Unique within its side. */
  id: string;
  /** Minor units, as the bank shows it: money that arrives is positive. A safe integer. */
  amount: number;
  /** Days since 1970, UTC. */
  date: number;
  /** In canonical form (normalise.ts); null: none that identifies a payment. */
  reference: string | null;
  /** In canonical form; null: unknown. */
  counterparty: string | null;
}

/** Movements of one counterparty that stand for one bank entry. */
export interface Group {
  /** The lowest id among its items. */
  id: string;
  amount: number;
  date: number;
  counterparty: string | null;
  items: readonly Item[];
}

export const WINDOW_DAYS = 3;
/** Items between two yields: a few milliseconds. */
export const SLICE = 1_000;

type Pair = readonly [item: Item, group: Group];

export interface Pairs {
  /** Neither side has another candidate. */
  certain: Pair[];
  /** Pairs within the window, earliest first; no entry or group is in more than one. */
  close: Pair[];
  /** The items that have a candidate. */
  contested: Item[];
}

/** Entries and groups of the same amount and counterparty. */
export function* pairUp(entries: readonly Item[], movements: readonly Group[]): Generator<void, Pairs> {
  const bank = yield* sortInSlices(entries, byDate, SLICE);
  const groups = yield* sortInSlices(movements, byDate, SLICE);
  const ofBank = candidatesOf(bank, groups);
  const ofGroups = candidatesOf(groups, bank);
  const pairs: Pairs = { certain: [], close: closePairs(bank, groups), contested: [] };
  if (bank.length > SLICE) yield;
  for (const [index, item] of bank.entries()) {
    const { first, count } = ofBank[index] ?? NO_CANDIDATE;
    const group = groups[first];
    if (count > 0) pairs.contested.push(item);
    if (count === 1 && group && ofGroups[first]?.count === 1) pairs.certain.push([item, group]);
  }
  for (const [index, { items }] of groups.entries()) {
    if (ofGroups[index]?.count !== 0) pairs.contested.push(...items);
  }
  return pairs;
}

const NO_CANDIDATE = { first: 0, count: 0 };

/** For each item, its first candidate's index and its number of candidates. Both lists are sorted, so two pointers suffice. */
function candidatesOf(items: readonly { date: number }[], others: readonly { date: number }[]) {
  let [first, end] = [0, 0];
  return items.map(({ date }) => {
    while (first < others.length && (others[first]?.date ?? 0) < date - WINDOW_DAYS) first += 1;
    while (end < others.length && (others[end]?.date ?? 0) <= date + WINDOW_DAYS) end += 1;
    return { first, count: end - first };
  });
}

function closePairs(bank: readonly Item[], groups: readonly Group[]): Pair[] {
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [item, group] = [bank[i], groups[j]];
    if (!item || !group) return pairs;
    const distance = item.date - group.date;
    if (Math.abs(distance) <= WINDOW_DAYS) pairs.push([item, group]);
    if (distance <= WINDOW_DAYS) i += 1;
    if (distance >= -WINDOW_DAYS) j += 1;
  }
}

/** A counterparty's movements on one day, with money in and money out kept apart, where there are several. */
export function* daySums(books: readonly Item[], maxItems: number): Generator<void, Group[]> {
  const days = new Map<string, Item[]>();
  for (const [index, item] of books.entries()) {
    if (index % SLICE === 0) yield;
    if (item.counterparty === null) continue;
    const key = `${item.date} ${Math.sign(item.amount)} ${item.counterparty}`;
    const day = days.get(key);
    if (day) day.push(item);
    else days.set(key, [item]);
  }
  const groups: Group[] = [];
  let steps = 0;
  for (const items of days.values()) {
    const group = items.length > 1 && items.length <= maxItems ? groupOf(items) : null;
    if (group) groups.push(group);
    steps += items.length;
    if (steps > SLICE) {
      steps = 0;
      yield;
    }
  }
  return groups;
}

/** Null if the sum is more than any bank entry can be. */
function groupOf(items: readonly Item[]): Group | null {
  const amount = Number(sumOf(items));
  const [first] = items;
  if (!first || !Number.isSafeInteger(amount)) return null;
  const id = items.reduce((least, each) => (each.id < least ? each.id : least), first.id);
  return { id, amount, date: first.date, counterparty: first.counterparty, items };
}

/** Exact: a sum of safe integers need not be one. */
export function sumOf(items: readonly Pick<Item, 'amount'>[]): bigint {
  let total = 0n;
  for (const { amount } of items) total += BigInt(amount);
  return total;
}

export function byDate(a: Pick<Item, 'date' | 'id'>, b: Pick<Item, 'date' | 'id'>): number {
  return a.date - b.date || (a.id < b.id ? -1 : 1);
}
