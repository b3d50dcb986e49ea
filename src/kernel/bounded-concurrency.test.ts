// Bounded concurrency: running, waiting and rejected tasks, and the release of slots.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundedConcurrency, Overloaded } from './bounded-concurrency.ts';

/** A task that ends when the test calls end() or fail(). */
function controlledTask() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const state = { started: false };
  const run = () => {
    state.started = true;
    return promise;
  };
  return { run, state, end: resolve, fail: reject };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('bounded concurrency', () => {
  test('runs tasks up to the limit, queues further ones in order, and rejects the rest without starting them', async () => {
    const run = boundedConcurrency({ maxRunning: 2, maxWaiting: 2 });
    const tasks = Array.from({ length: 5 }, controlledTask);
    const done = tasks.map((task) => run(task.run));
    await assert.rejects(done[4] as Promise<void>, Overloaded);
    const started = () => tasks.map(({ state }) => state.started);
    assert.deepEqual(started(), [true, true, false, false, false]);
    tasks[1]?.end();
    await settled();
    assert.deepEqual(started(), [true, true, true, false, false]);
    for (const { end } of tasks) end();
    await Promise.all(done.slice(0, 4));
    assert.deepEqual(started(), [true, true, true, true, false]);
  });

  test('releases the slot of a task that fails, and never gives one slot to two tasks', async () => {
    const run = boundedConcurrency({ maxRunning: 1, maxWaiting: 5 });
    let [running, maxSeen] = [0, 0];
    const failing = async () => {
      running += 1;
      maxSeen = Math.max(maxSeen, running);
      await settled();
      running -= 1;
      throw new Error('broken on purpose');
    };
    const first = run(failing).catch(() => 'failed');
    const second = run(failing).catch(() => 'failed');
    // Arrives at the moment in which the first task hands its slot to the second.
    const third = first.then(() => run(failing).catch(() => 'failed'));
    assert.deepEqual(await Promise.all([first, second, third]), ['failed', 'failed', 'failed']);
    assert.equal(maxSeen, 1);
    assert.equal(await run(async () => 'done'), 'done');
  });
});
