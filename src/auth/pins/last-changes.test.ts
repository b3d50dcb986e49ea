// The order of the last changes of many things.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastChanges } from './last-changes.ts';

test('tells whether something has changed since a count', () => {
  const changes = new LastChanges(10);
  changes.add('a');
  const { count } = changes;
  assert.equal(changes.hasSince('a', count), false);
  changes.add('b');
  assert.deepEqual([changes.hasSince('a', count), changes.hasSince('b', count)], [false, true]);
});

test('what is no longer remembered may have changed as late as the last of it', () => {
  const changes = new LastChanges(2);
  const { count } = changes;
  for (const name of ['a', 'b', 'c', 'd']) changes.add(name);
  assert.equal(changes.hasSince('a', count), true);
  assert.equal(changes.hasSince('never seen', count), true);
  assert.equal(changes.hasSince('never seen', changes.count), false);
});
