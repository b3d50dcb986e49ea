// Places: who is at work, who waits, who is sent away, and that every place is given back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { places } from './bounded-concurrency.ts';
import { Overloaded } from './overloaded.ts';

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begun = { yet: false };
  const run = () => {
    begun.yet = true;
    return promise;
  };
  return { run, begun, end: resolve, fail: reject };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('places', () => {
  test('are for so many at once; so many wait, in order, and whoever comes then is sent away unbegun', async () => {
    const inPlace = places({ atOnce: 2, mostWaiting: 2 });
    const jobs = Array.from({ length: 5 }, work);
    const done = jobs.map(({ run }) => inPlace(run));
    await assert.rejects(done[4] as Promise<void>, Overloaded);
    const begun = () => jobs.map((job) => job.begun.yet);
    assert.deepEqual(begun(), [true, true, false, false, false]);
    jobs[1]?.end();
    await settled();
    assert.deepEqual(begun(), [true, true, true, false, false]);
    for (const { end } of jobs) end();
    await Promise.all(done.slice(0, 4));
    assert.deepEqual(begun(), [true, true, true, true, false]);
  });

  test('are given back after a failure, and never to two at once', async () => {
    const inPlace = places({ atOnce: 1, mostWaiting: 5 });
    let [inside, most] = [0, 0];
    const job = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await settled();
      inside -= 1;
      throw new Error('broken on purpose');
    };
    const first = inPlace(job).catch(() => 'failed');
    const second = inPlace(job).catch(() => 'failed');
    // Comes in the moment in which the first hands on its place.
    const third = first.then(() => inPlace(job).catch(() => 'failed'));
    assert.deepEqual(await Promise.all([first, second, third]), ['failed', 'failed', 'failed']);
    assert.equal(most, 1);
    assert.equal(await inPlace(async () => 'in'), 'in');
  });
});
