// The batch loader: one query in flight, everything else gathers, failures reach only those they concern.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchLoader } from './batch-loader.ts';

function recordingLoader(maxBatch?: number) {
  const batches: number[][] = [];
  const load = batchLoader<number, string>({
    async fetch(keys) {
      batches.push(keys);
      await new Promise((resolve) => setImmediate(resolve));
      if (keys.includes(13)) throw new Error('unlucky');
      return keys.map((key) => `value ${key}`);
    },
    ...(maxBatch ? { maxBatch } : {}),
  });
  return { batches, load };
}

test('look-ups made while one is in flight travel together in the next', async () => {
  const { batches, load } = recordingLoader();
  const first = load(1);
  // At the end of the turn it is sent.
  await new Promise((resolve) => setImmediate(resolve));
  const rest = [load(2), load(3), load(2)];
  assert.equal(await first, 'value 1');
  assert.deepEqual(await Promise.all(rest), ['value 2', 'value 3', 'value 2']);
  assert.deepEqual(batches, [[1], [2, 3, 2]]);
});

test('a batch is no larger than it may be', async () => {
  const { batches, load } = recordingLoader(2);
  await Promise.all([1, 2, 3, 4, 5].map(load));
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [2, 2, 1],
  );
});

test('a failing batch fails its own look-ups; the next ones are served', async () => {
  const { load } = recordingLoader();
  await assert.rejects(load(13), /unlucky/);
  assert.equal(await load(1), 'value 1');
});
