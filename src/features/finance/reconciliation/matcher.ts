// Matches bank entries with the movements of the books: a pure function over two lists, computed in slices.
//
// The result does not depend on the order of the lists. Running it again on the items it did not match yields no match: what one
// rule matches is never a candidate of an item that stays open.
import { byDate, daySums, type Group, type Item, pairUp, SLICE, sumOf } from './candidates.ts';
import { sortInSlices } from './sort-in-slices.ts';

export type { Item } from './candidates.ts';

export const RULES = ['reference', 'amount', 'day_sum'] as const;

/** Bank entries and movements whose amounts add up to the same sum. */
export interface Proposal {
  rule: (typeof RULES)[number];
  /** Sorted. */
  bankIds: string[];
  bookIds: string[];
}

export interface Matching {
  matches: Proposal[];
  /** Not certain: a user decides. No item is in two of them, or in a match too. */
  suggestions: Proposal[];
}

/** Larger groups are left to the user: a reference that so many items share identifies no payment. */
const MAX_GROUP = 500;

export function match(bank: readonly Item[], books: readonly Item[]): Matching {
  const slices = matchInSlices(bank, books);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Yields after each slice, so that the caller can serve other work in between. */
export function* matchInSlices(bank: readonly Item[], books: readonly Item[]): Generator<void, Matching> {
  const matcher = new Matcher();
  const pool = yield* matcher.byReference(bank, books);
  yield* matcher.byAmount(pool);
  yield* matcher.byDaySum(pool);
  yield* matcher.withoutCounterparty(pool);
  return { matches: yield* sorted(matcher.matches), suggestions: yield* sorted(matcher.suggestions) };
}

/** Runs the slices between other events, so that payments are not delayed. */
export async function matchBetweenEvents(bank: readonly Item[], books: readonly Item[]): Promise<Matching> {
  const slices = matchInSlices(bank, books);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await new Promise((resume) => setImmediate(resume));
  }
}

interface Sides {
  bank: Item[];
  books: Item[];
}

class Matcher {
  readonly matches: Proposal[] = [];
  readonly suggestions: Proposal[] = [];
  private readonly matched = new Set<Item>();
  private readonly suggested = new Set<Item>();
  /** Items with a candidate of the same amount and counterparty. */
  private readonly contested = new Set<Item>();
  private steps = 0;

  /**
   * All items of a reference match if both sides add up to the same sum, else pairs of the same amount. Returns the items whose
   * reference is not on the other side; the other rules apply to those only.
   */
  *byReference(bank: readonly Item[], books: readonly Item[]): Generator<void, Sides> {
    const groups = new Map<string, Sides>();
    const pool: Sides = { bank: [], books: [] };
    for (const [side, items] of [['bank', bank] as const, ['books', books] as const]) {
      for (const [index, item] of items.entries()) {
        if (item.reference === null) pool[side].push(item);
        else entryOf(groups, item.reference, noItems)[side].push(item);
        if (index % SLICE === 0) yield;
      }
    }
    for (const group of groups.values()) {
      const left = this.ofReference(group);
      if (left.bank.length === 0 || left.books.length === 0) {
        for (const item of left.bank) pool.bank.push(item);
        for (const item of left.books) pool.books.push(item);
      }
      if (this.isSliceDone(group.bank.length + group.books.length)) yield;
    }
    return pool;
  }

  /** Returns what stays open. */
  private ofReference(group: Sides): Sides {
    const { bank, books } = group;
    if (bank.length === 0 || books.length === 0) return group;
    if (Math.max(bank.length, books.length) > MAX_GROUP) return group;
    if (sumOf(bank) === sumOf(books)) {
      this.add('reference', bank, books);
      return noItems();
    }
    for (const same of byAmountOf(group).values()) {
      if (same.bank.length === 1 && same.books.length === 1) this.add('reference', same.bank, same.books);
      else this.suggestPairs(same);
    }
    return this.openOf(group);
  }

  /** The same amount and counterparty within the window: pairs without another candidate match. */
  *byAmount(pool: Sides): Generator<void> {
    for (const bucket of yield* bucketsOf(pool.bank, pool.books.map(single))) {
      const { certain, close, contested } = yield* pairUp(bucket.bank, bucket.groups);
      yield* this.each(contested, (item) => this.contested.add(item));
      yield* this.each(certain, ([item, group]) => this.add('amount', [item], group.items));
      yield* this.each(close, ([item, group]) => this.suggest('amount', [item], group.items));
    }
  }

  /** All open movements of a counterparty on one day, and one entry. None of them may have its own candidate. */
  *byDaySum(pool: Sides): Generator<void> {
    const open = this.openOf(pool);
    yield;
    const isFree = (item: Item) => !this.contested.has(item);
    for (const bucket of yield* bucketsOf(open.bank, yield* daySums(open.books, MAX_GROUP))) {
      const { certain, close } = yield* pairUp(bucket.bank, bucket.groups);
      yield* this.each(certain, ([item, group]) => {
        if (isFree(item) && group.items.every(isFree)) this.add('day_sum', [item], group.items);
      });
      yield* this.each(close, ([item, group]) => this.suggest('day_sum', [item], group.items));
    }
  }

  /** Entries that do not say whose they are: the same amount within the window is suggested. */
  *withoutCounterparty(pool: Sides): Generator<void> {
    const open = this.openOf(pool);
    yield;
    const isFree = (item: Item) => !this.suggested.has(item);
    const bank = open.bank.filter((item) => item.counterparty === null && isFree(item)).map(anonymous);
    yield;
    const books = open.books.filter(isFree).map((item) => ({ ...single(item), counterparty: '' }));
    for (const bucket of yield* bucketsOf(bank, books)) {
      const { close } = yield* pairUp(bucket.bank, bucket.groups);
      yield* this.each(close, ([item, group]) => this.suggest('amount', [item], group.items));
    }
  }

  private *each<Value>(values: readonly Value[], work: (value: Value) => void): Generator<void> {
    for (const value of values) {
      work(value);
      if (this.isSliceDone(1)) yield;
    }
  }

  private isSliceDone(steps: number): boolean {
    this.steps += steps;
    if (this.steps < SLICE) return false;
    this.steps = 0;
    return true;
  }

  private add(rule: Proposal['rule'], bank: readonly Item[], books: readonly Item[]): void {
    for (const item of [...bank, ...books]) this.matched.add(item);
    this.matches.push(proposal(rule, bank, books));
  }

  private suggestPairs({ bank, books }: Sides): void {
    const movements = books.sort(byDate);
    for (const [index, item] of bank.sort(byDate).entries()) {
      const movement = movements[index];
      if (movement) this.suggest('reference', [item], [movement]);
    }
  }

  private suggest(rule: Proposal['rule'], bank: readonly Item[], books: readonly Item[]): void {
    const items = [...bank, ...books];
    if (items.some((item) => this.matched.has(item) || this.suggested.has(item))) return;
    for (const item of items) this.suggested.add(item);
    this.suggestions.push(proposal(rule, bank, books));
  }

  private openOf({ bank, books }: Sides): Sides {
    const isOpen = (item: Item) => !this.matched.has(item);
    return { bank: bank.filter(isOpen), books: books.filter(isOpen) };
  }
}

const noItems = (): Sides => ({ bank: [], books: [] });
const single = (item: Item): Group => ({ ...item, items: [item] });
const anonymous = (item: Item): Item => ({ ...item, counterparty: '' });

function proposal(rule: Proposal['rule'], bank: readonly Item[], books: readonly Item[]): Proposal {
  return { rule, bankIds: idsOf(bank), bookIds: idsOf(books) };
}

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id).sort();

function byAmountOf({ bank, books }: Sides): Map<string, Sides> {
  const groups = new Map<string, Sides>();
  for (const item of bank) entryOf(groups, String(item.amount), noItems).bank.push(item);
  for (const item of books) entryOf(groups, String(item.amount), noItems).books.push(item);
  return groups;
}

function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

interface Bucket {
  bank: Item[];
  groups: Group[];
}

/** Entries and movements by amount and counterparty, where there are both. */
function* bucketsOf(bank: readonly Item[], groups: readonly Group[]): Generator<void, Bucket[]> {
  const buckets = new Map<string, Bucket>();
  const keyOf = ({ amount, counterparty }: Pick<Item, 'amount' | 'counterparty'>) => `${amount} ${counterparty}`;
  for (const [index, group] of groups.entries()) {
    if (index % SLICE === 0) yield;
    if (group.counterparty === null) continue;
    entryOf(buckets, keyOf(group), () => ({ bank: [], groups: [] })).groups.push(group);
  }
  for (const [index, item] of bank.entries()) {
    if (index % SLICE === 0) yield;
    if (item.counterparty !== null) buckets.get(keyOf(item))?.bank.push(item);
  }
  return [...buckets.values()].filter((bucket) => bucket.bank.length > 0);
}

function sorted(proposals: Proposal[]): Generator<void, Proposal[]> {
  const first = ({ bankIds: [id = ''] }: Proposal) => id;
  return sortInSlices(proposals, (a, b) => (first(a) < first(b) ? -1 : 1), SLICE);
}
