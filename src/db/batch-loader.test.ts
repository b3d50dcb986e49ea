// The batch loader: one query in flight, all other keys wait for the next, and a failure rejects only its own batch.
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

test('keys that arrive while a query is in flight share the next one', async () => {
  const { batches, load } = recordingLoader();
  const first = load(1);
  // The query is sent at the end of the event loop turn.
  await new Promise((resolve) => setImmediate(resolve));
  const rest = [load(2), load(3), load(2)];
  assert.equal(await first, 'value 1');
  assert.deepEqual(await Promise.all(rest), ['value 2', 'value 3', 'value 2']);
  assert.deepEqual(batches, [[1], [2, 3, 2]]);
});

test('a batch has at most maxBatch keys', async () => {
  const { batches, load } = recordingLoader(2);
  await Promise.all([1, 2, 3, 4, 5].map(load));
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [2, 2, 1],
  );
});

test('a failed batch rejects its own look-ups, and the next ones are answered', async () => {
  const { load } = recordingLoader();
  await assert.rejects(load(13), /unlucky/);
  assert.equal(await load(1), 'value 1');
});
