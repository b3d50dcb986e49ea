// Tests limits that are counted in this process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingWindows } from './counting-windows.ts';

let ms = 1_000_000;
const now = () => ms;

test('each caller has so many points in a window that begins with its first request', () => {
  const consume = countingWindows({ points: 2, duration: 10 }, now);
  assert.deepEqual(consume('a'), { allowed: true, remaining: 1, msBeforeNext: 10_000 });
  ms += 4_000;
  assert.deepEqual(consume('b'), { allowed: true, remaining: 1, msBeforeNext: 10_000 });
  assert.deepEqual(consume('a'), { allowed: true, remaining: 0, msBeforeNext: 6_000 });
  assert.deepEqual(consume('a'), { allowed: false, remaining: 0, msBeforeNext: 6_000 });
  ms += 5_999;
  assert.equal(consume('a').allowed, false);
  ms += 1;
  assert.deepEqual(consume('a'), { allowed: true, remaining: 1, msBeforeNext: 10_000 });
  assert.deepEqual(consume('b'), { allowed: true, remaining: 0, msBeforeNext: 4_000 });
});

test('a window that has ended counts nothing, however many callers there were', () => {
  const consume = countingWindows({ points: 1, duration: 1 }, now);
  for (let n = 0; n < 1_000; n++) consume(`caller ${n}`);
  assert.equal(consume('caller 7').allowed, false);
  ms += 1_000;
  for (let n = 999; n >= 0; n--) assert.ok(consume(`caller ${n}`).allowed);
});
