// Expiring caches: the moment of expiry, the order of eviction, and the removal callback.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testClock } from '../../test/support/clock.ts';
import { expiringCache } from './expiring-cache.ts';

describe('an expiring cache', () => {
  test('holds an entry for less than its lifetime, by the injected clock', () => {
    const clock = testClock();
    const cache = expiringCache<{ id: number }>({ max: 10, ttlMs: 1_000, clock });
    const entry = { id: 1 };
    cache.set('a', entry);
    clock.advance(999);
    assert.equal(cache.get('a'), entry);
    clock.advance(1);
    assert.equal(cache.get('a'), undefined);
  });

  test('counts the lifetime from `start` if a value was read before it was stored', () => {
    const clock = testClock();
    const cache = expiringCache<{ id: number }>({ max: 10, ttlMs: 1_000, clock });
    const start = clock.now();
    clock.advance(600);
    cache.set('a', { id: 1 }, { start });
    clock.advance(399);
    assert.notEqual(cache.get('a'), undefined);
    clock.advance(1);
    assert.equal(cache.get('a'), undefined);
  });

  test('evicts the least recently used entry', () => {
    const cache = expiringCache<{ id: number }>({ max: 2, ttlMs: 1_000, clock: testClock() });
    for (const id of [1, 2]) cache.set(String(id), { id });
    cache.get('1');
    cache.set('3', { id: 3 });
    assert.deepEqual(
      ['1', '2', '3'].map((key) => cache.has(key)),
      [true, false, true],
    );
  });

  test('reports each entry that expires, is evicted or is cleared once', () => {
    const clock = testClock();
    const removed: number[] = [];
    const cache = expiringCache<{ id: number }>({
      max: 3,
      ttlMs: 1_000,
      clock,
      onRemoved: ({ id }) => removed.push(id),
    });
    cache.set('expired', { id: 1 });
    clock.advance(500);
    for (const id of [2, 3, 4]) cache.set(String(id), { id });
    assert.deepEqual(removed, [1]);
    clock.advance(999);
    cache.purgeStale();
    assert.deepEqual(removed, [1]);
    clock.advance(1);
    cache.set('5', { id: 5 });
    cache.purgeStale();
    assert.deepEqual(removed.toSorted(), [1, 2, 3, 4]);
    cache.clear();
    assert.deepEqual(removed.toSorted(), [1, 2, 3, 4, 5]);
  });
});
