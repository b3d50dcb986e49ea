// Tests that every match adds up, that nothing is matched twice, and that the result depends on the items alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Item, type Matching, match, matchBetweenEvents, type Proposal } from './matcher.ts';

const item = (id: string, amount: number, rest: Partial<Item> = {}): Item => ({
  id,
  amount,
  date: 100,
  reference: null,
  counterparty: null,
  ...rest,
});

const none: Matching = { matches: [], suggestions: [] };

describe('by reference', () => {
  it('matches one entry and one movement, whatever their dates and counterparties', () => {
    const bank = [item('b1', 500, { reference: 'R1', date: 10, counterparty: 'X' })];
    const books = [item('t1', 500, { reference: 'R1', date: 90, counterparty: 'Y' })];
    assert.deepEqual(match(bank, books), { matches: [of('reference', ['b1'], ['t1'])], suggestions: [] });
  });

  it('matches a group whose sides add up', () => {
    const bank = [item('b1', 700, { reference: 'R1' }), item('b2', -200, { reference: 'R1' })];
    const books = [item('t1', 400, { reference: 'R1' }), item('t2', 100, { reference: 'R1' })];
    assert.deepEqual(match(bank, books).matches, [of('reference', ['b1', 'b2'], ['t1', 't2'])]);
  });

  it('matches pairs of the same amount if the group does not add up, and leaves the rest open', () => {
    const bank = [item('b1', 700, { reference: 'R1' }), item('b2', 300, { reference: 'R1' })];
    const books = [item('t1', 700, { reference: 'R1' }), item('t2', 301, { reference: 'R1' })];
    assert.deepEqual(match(bank, books), { matches: [of('reference', ['b1'], ['t1'])], suggestions: [] });
  });

  it('suggests pairs if several items of the reference have the same amount', () => {
    const bank = [item('b1', 700, { reference: 'R1' })];
    const books = [item('t2', 700, { reference: 'R1' }), item('t1', 700, { reference: 'R1' })];
    assert.deepEqual(match(bank, books), { matches: [], suggestions: [of('reference', ['b1'], ['t1'])] });
  });

  it('does not match groups of more than 500 items', () => {
    const group = (side: string) =>
      Array.from({ length: 501 }, (_, n) => item(`${side}${n}`, n + 1, { reference: 'DAILY' }));
    assert.equal(match(group('b'), group('t')).matches.length, 0);
  });

  it('does not match sums that differ beyond the precision of a double', () => {
    const large = Number.MAX_SAFE_INTEGER;
    const bank = [item('b1', large, { reference: 'R' }), item('b2', large, { reference: 'R' })];
    const books = [item('t1', large - 1, { reference: 'R' }), item('t2', large, { reference: 'R' })];
    assert.deepEqual(
      match([...bank, item('b3', 3, { reference: 'R' })], [...books, item('t3', 3, { reference: 'R' })]).matches.map(
        ({ bankIds }) => bankIds,
      ),
      [['b3']],
    );
  });
});

describe('by amount and counterparty', () => {
  const acme = { counterparty: 'ACME' };

  it('matches the only pair within three days', () => {
    const found = match([item('b1', 500, { ...acme, date: 103 })], [item('t1', 500, acme)]);
    assert.deepEqual(found, { matches: [of('amount', ['b1'], ['t1'])], suggestions: [] });
  });

  it('leaves a pair open that is four days apart, or that differs in amount or counterparty', () => {
    assert.deepEqual(match([item('b1', 500, { ...acme, date: 104 })], [item('t1', 500, acme)]), none);
    assert.deepEqual(match([item('b1', 500, acme)], [item('t1', 501, acme)]), none);
    assert.deepEqual(match([item('b1', 500, acme)], [item('t1', 500, { counterparty: 'OTHER' })]), none);
  });

  it('suggests pairs in the order of their dates if there are several candidates', () => {
    const bank = [item('b2', 500, { ...acme, date: 102 }), item('b1', 500, { ...acme, date: 101 })];
    const books = [item('t1', 500, { ...acme, date: 100 }), item('t2', 500, { ...acme, date: 101 })];
    const suggestions = [of('amount', ['b1'], ['t1']), of('amount', ['b2'], ['t2'])];
    assert.deepEqual(match(bank, books), { matches: [], suggestions });
  });

  it('suggests, and does not match, an entry that does not say whose it is', () => {
    const found = match([item('b1', 500)], [item('t1', 500, acme)]);
    assert.deepEqual(found, { matches: [], suggestions: [of('amount', ['b1'], ['t1'])] });
  });

  it('ignores items whose reference is on both sides but does not add up', () => {
    const bank = [item('b1', 500, { ...acme, reference: 'R1' })];
    const books = [item('t1', 499, { ...acme, reference: 'R1' }), item('t2', 500, acme)];
    assert.deepEqual(match(bank, books), none);
  });
});

describe('by the sum of a day', () => {
  const acme = { counterparty: 'ACME' };
  const day = [item('t1', 200, acme), item('t2', 300, acme)];

  it('matches the movements of one counterparty and day with one entry', () => {
    const found = match([item('b1', 500, { ...acme, date: 101 })], day);
    assert.deepEqual(found, { matches: [of('day_sum', ['b1'], ['t1', 't2'])], suggestions: [] });
  });

  it('leaves them open if another movement of that day belongs to the sum', () => {
    assert.deepEqual(match([item('b1', 500, acme)], [...day, item('t3', 1, acme)]), none);
  });

  it('does not offset money in against money out', () => {
    assert.deepEqual(match([item('b1', 400, acme)], [item('t1', 500, acme), item('t2', -100, acme)]), none);
  });

  it('suggests it if two entries could be the sum', () => {
    const found = match([item('b1', 500, acme), item('b2', 500, acme)], day);
    assert.deepEqual(found, { matches: [], suggestions: [of('day_sum', ['b1'], ['t1', 't2'])] });
  });

  it('suggests it if a movement of the day has its own candidate', () => {
    const bank = [item('b1', 500, acme), item('b2', 200, acme), item('b3', 200, acme)];
    const { matches } = match(bank, day);
    assert.deepEqual(matches, []);
  });
});

describe('for any items', () => {
  it('every match and every suggestion adds up exactly', () => {
    check(({ bank, books }) => {
      const { matches, suggestions } = match(bank, books);
      for (const { bankIds, bookIds } of [...matches, ...suggestions]) {
        assert.ok(bankIds.length > 0 && bookIds.length > 0);
        assert.equal(sumOf(bank, bankIds), sumOf(books, bookIds));
      }
    });
  });

  it('no item is matched twice, or suggested twice, or both', () => {
    check(({ bank, books }) => {
      const { matches, suggestions } = match(bank, books);
      const all = [...matches, ...suggestions];
      for (const ids of [all.flatMap(({ bankIds }) => bankIds), all.flatMap(({ bookIds }) => bookIds)]) {
        assert.equal(new Set(ids).size, ids.length);
      }
    });
  });

  it('the result does not depend on the order of the lists', () => {
    const shuffled = ITEMS.chain(({ bank, books }) =>
      fc.record({
        bank: fc.constant(bank),
        books: fc.constant(books),
        otherBank: fc.shuffledSubarray(bank, { minLength: bank.length }),
        otherBooks: fc.shuffledSubarray(books, { minLength: books.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ bank, books, otherBank, otherBooks }) => {
        assert.deepEqual(match(otherBank, otherBooks), match(bank, books));
      }),
      RUNS,
    );
  });

  it('a second run on what stays open matches nothing and suggests the same', () => {
    check(({ bank, books }) => {
      const first = match(bank, books);
      const open = without({ bank, books }, first.matches);
      assert.deepEqual(match(open.bank, open.books), { matches: [], suggestions: first.suggestions });
    });
  });

  it('the items of an undone match are matched in the same way again', () => {
    fc.assert(
      fc.property(ITEMS, fc.nat(), ({ bank, books }, which) => {
        const first = match(bank, books);
        const undone = first.matches[which % Math.max(1, first.matches.length)];
        if (!undone) return;
        const others = first.matches.filter((each) => each !== undone);
        const open = without({ bank, books }, others);
        assert.deepEqual(match(open.bank, open.books), { matches: [undone], suggestions: first.suggestions });
      }),
      RUNS,
    );
  });

  it('matching between other events has the same result', async () => {
    await fc.assert(
      fc.asyncProperty(ITEMS, async ({ bank, books }) => {
        assert.deepEqual(await matchBetweenEvents(bank, books), match(bank, books));
      }),
      { numRuns: 50 },
    );
  });
});

const RUNS = { numRuns: 2_000 };

interface Lists {
  bank: Item[];
  books: Item[];
}

// Few values, so that items often compete for each other.
const VALUES = fc.record({
  amount: fc.oneof(
    fc.constantFrom(100, 200, 300, 500, -100, -200),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1),
  ),
  date: fc.integer({ min: 100, max: 108 }),
  reference: fc.option(fc.constantFrom('R1', 'R2', 'R3'), { freq: 1 }),
  counterparty: fc.option(fc.constantFrom('ACME', 'BANK'), { freq: 3 }),
});
const listOf = (prefix: string) =>
  fc
    .array(VALUES, { maxLength: 14 })
    .map((values) => values.map((value, n) => ({ id: `${prefix}${String(n).padStart(2, '0')}`, ...value })));
const ITEMS: fc.Arbitrary<Lists> = fc.record({ bank: listOf('b'), books: listOf('t') });

function check(property: (lists: Lists) => void): void {
  fc.assert(fc.property(ITEMS, property), RUNS);
}

function of(rule: Proposal['rule'], bankIds: string[], bookIds: string[]): Proposal {
  return { rule, bankIds, bookIds };
}

function sumOf(items: Item[], ids: string[]): bigint {
  return items.filter(({ id }) => ids.includes(id)).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

function without({ bank, books }: Lists, matches: Proposal[]): Lists {
  const taken = new Set(matches.flatMap(({ bankIds, bookIds }) => [...bankIds, ...bookIds]));
  const isOpen = ({ id }: Item) => !taken.has(id);
  return { bank: bank.filter(isOpen), books: books.filter(isOpen) };
}
