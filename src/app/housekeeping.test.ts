// Housekeeping: rounds that follow one another, and a stop that does not wait for a long one to come to its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../http/log.ts';
import { startHousekeeping } from './housekeeping.ts';

test('a round under way is told to stop, and waited for', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const events: string[] = [];
  const run = async (stopping?: AbortSignal) => {
    events.push('begun');
    await new Promise((resolve) => stopping?.addEventListener('abort', resolve));
    events.push('ended');
  };
  const housekeeping = startHousekeeping([{ name: 'a long one', everyMs: 10, run }], {} as Logger);
  mock.timers.tick(30);
  assert.deepEqual(events, ['begun'], 'never two rounds at once');
  await housekeeping.stop();
  assert.deepEqual(events, ['begun', 'ended']);
});
