// Background tasks: runs do not overlap, and stop() aborts the run in progress.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../http/log.ts';
import { startBackgroundTasks } from './background-tasks.ts';

test('stop() aborts the run in progress and waits for it', async ({ mock }) => {
  mock.timers.enable({ apis: ['setInterval'] });
  const events: string[] = [];
  const run = async (stopping?: AbortSignal) => {
    events.push('started');
    await new Promise((resolve) => stopping?.addEventListener('abort', resolve));
    events.push('ended');
  };
  const tasks = startBackgroundTasks([{ name: 'a long task', everyMs: 10, run }], {} as Logger);
  mock.timers.tick(30);
  assert.deepEqual(events, ['started'], 'runs do not overlap');
  await tasks.stop();
  assert.deepEqual(events, ['started', 'ended']);
});
