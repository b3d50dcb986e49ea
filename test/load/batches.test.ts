// The fixed cost of a batch, computed from the cost of payments in batches of several sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitBatchCost, fitLine } from '../../bench/batches.ts';

const isNear = (actual: number, expected: number, share = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= Math.abs(expected) * share, `${actual} is not ${expected}`);

test('the line through exact points is found', () => {
  const { intercept, slope } = fitLine([1, 4, 15, 56, 120].map((x) => ({ x, y: 900 + 150 * x })));
  isNear(intercept, 900);
  isNear(slope, 150);
});

test('an error of a few percent in the largest batch hardly changes the fixed cost', () => {
  const points = [1, 4, 15, 56].map((x) => ({ x, y: 900 + 150 * x }));
  const { intercept } = fitLine([...points, { x: 200, y: (900 + 150 * 200) * 1.05 }]);
  isNear(intercept, 900, 0.05);
});

test("a batch's cost is that of its payments, split into a fixed part and a part per payment", () => {
  const samples = [2, 10, 50].map((batch) => ({
    ...{ requests: 1, perSecond: 1, p50: 1, batch },
    cpu: { gateway: 100 + 1_000 / batch, postgres: 80 + 500 / batch },
  }));
  const { fixed, perPayment } = fitBatchCost(samples, ({ cpu }) => cpu?.postgres ?? Number.NaN);
  isNear(fixed, 500);
  isNear(perPayment, 80);
});
