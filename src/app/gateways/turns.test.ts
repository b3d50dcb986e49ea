// Gateway starts wait for each other only at the same index.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.ts';

test('the second start at an index waits for the first, even if that one fails', async () => {
  const turns = new Turns<number>();
  const events: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = turns.take(1, async () => {
    events.push('first begins');
    await held.promise;
    events.push('first fails');
    throw new Error('did not start');
  });
  const second = turns.take(1, async () => void events.push('second begins'));
  await turns.take(0, async () => void events.push('another index begins'));
  await setImmediate();
  assert.deepEqual(events, ['first begins', 'another index begins']);
  held.resolve();
  await assert.rejects(first, { message: 'did not start' });
  await second;
  assert.deepEqual(events.slice(2), ['first fails', 'second begins']);
});
