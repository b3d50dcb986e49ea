// Tests that work is done for every item, and that the first failure is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runEach } from './run-each.ts';

test('every item is processed in order, and the first failure is reported at the end', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    seen.push(item);
    if (item % 2 === 0) throw new Error(`failed at ${item}`);
  };
  await assert.rejects(runEach([1, 2, 3, 4, 5], work), /failed at 2/);
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  await runEach([1, 3], work);
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 1, 3]);
});
