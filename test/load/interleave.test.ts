// How the benchmarks alternate between workloads, and the spread of their ratios.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureInterleaved, type Sample, spreadOf } from '../../bench/interleave.ts';

test('workloads alternate, in reversed order in every second round', async () => {
  const runs: string[] = [];
  const workload = (name: string) => async (seconds: number) => {
    runs.push(`${name} ${seconds}`);
    return { requests: 1, perSecond: 1, p50: 1 };
  };
  await measureInterleaved({ a: workload('a'), b: workload('b') }, { rounds: 3, sampleSeconds: 2 });
  assert.deepEqual(runs, ['a 2', 'b 2', 'b 2', 'a 2', 'a 2', 'b 2']);
});

test('ratios are those of the same round, with their median, quartiles and extremes', async () => {
  const times = { other: [100, 200, 100, 100, 400], this: [110, 210, 90, 300, 400] };
  const workload = (values: number[]) => async (): Promise<Sample> => {
    return { requests: 1, perSecond: 1, p50: values.shift() ?? Number.NaN };
  };
  const workloads = { other: workload([...times.other]), this: workload([...times.this]) };
  const measured = await measureInterleaved(workloads, { rounds: 5, sampleSeconds: 1 });
  const spread = measured.ratioSpread('this', 'other', ({ p50 }) => p50);
  assert.deepEqual(spread, { min: 0.9, lowerQuartile: 1, median: 1.05, upperQuartile: 1.1, max: 3 });
  assert.equal(
    measured.medianRatio('this', 'other', ({ p50 }) => p50),
    1.05,
  );
});

test('the spread of a single value is that value, and that of none is not a number', () => {
  assert.deepEqual(spreadOf([2]), { min: 2, lowerQuartile: 2, median: 2, upperQuartile: 2, max: 2 });
  assert.ok(Number.isNaN(spreadOf([]).median));
});
