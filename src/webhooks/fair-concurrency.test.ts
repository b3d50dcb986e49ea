// Fair sharing of slots: no partner takes all of them, and one is always left for another partner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocateSlots, rotatedAfter } from './fair-concurrency.ts';

const LIMITS = { total: 512, perOwner: 32 };
const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);

test('a single partner gets slots up to its limit', () => {
  assert.deepEqual(allocateSlots(['a'], new Map(), LIMITS), new Map([['a', 32]]));
  assert.deepEqual(allocateSlots(['a'], new Map([['a', 30]]), LIMITS), new Map([['a', 2]]));
  assert.deepEqual(allocateSlots(['a'], new Map([['a', 32]]), LIMITS), new Map());
});

test('several partners get equal shares', () => {
  assert.deepEqual([...allocateSlots(['a', 'b', 'c'], new Map(), { total: 12, perOwner: 32 }).values()], [3, 3, 3]);
});

test('a new partner gets a slot, however many endpoints hang', () => {
  for (const count of [1, 10, 100, 300]) {
    const hanging = Array.from({ length: count }, (_, n) => `hanging-${n}`);
    let held: Map<string, number> = new Map();
    for (let round = 0; round < 50; round++) {
      for (const [partner, share] of allocateSlots(hanging, held, LIMITS))
        held.set(partner, (held.get(partner) ?? 0) + share);
    }
    const share = allocateSlots(['new', ...hanging], held, LIMITS).get('new') ?? 0;
    assert.ok(share >= 1, `${count} endpoints hang, the new partner gets ${share}`);
    held = new Map();
  }
});

test('never exceeds the limits', () => {
  const partner = fc.constantFrom(...'abcdefgh');
  const holding = fc.dictionary(partner, fc.integer({ min: 0, max: 8 }), { noNullPrototype: true });
  const property = fc.property(fc.uniqueArray(partner), holding, fc.integer({ min: 1, max: 40 }), (due, has, total) => {
    const held = new Map(Object.entries(has));
    const shares = allocateSlots(due, held, { total, perOwner: 6 });
    for (const [name, share] of shares) {
      assert.ok(due.includes(name) && share > 0);
      assert.ok((held.get(name) ?? 0) + share <= 6);
    }
    assert.ok(sum(shares.values()) <= Math.max(0, total - sum(held.values())));
  });
  fc.assert(property);
});

test('the order begins after the partner served last', () => {
  assert.deepEqual(rotatedAfter('b', ['a', 'b', 'c', 'd']), ['c', 'd', 'a', 'b']);
  assert.deepEqual(rotatedAfter('', ['a', 'b']), ['a', 'b']);
  assert.deepEqual(rotatedAfter('d', ['a', 'b']), ['a', 'b']);
});
