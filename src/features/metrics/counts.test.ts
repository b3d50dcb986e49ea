// The counts of gateway processes that have ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combinedFamilies } from './combined.ts';
import { Counts } from './counts.ts';
import type { ReadFamily } from './prometheus.ts';

const report = (n: number): ReadFamily[] => [
  { name: 'posted_total', help: 'posted', type: 'counter', samples: [{ value: n, labels: { type: 'p2p' } }] },
  { name: 'seconds', help: 'seconds', type: 'histogram', samples: [{ value: n, suffix: '_sum' }] },
  { name: 'queue', help: 'queue', type: 'gauge', combine: 'sum', samples: [{ value: n }] },
];

/** The sum of each metric. */
const sums = (counts: Counts<string>) =>
  Object.fromEntries(combinedFamilies(counts.sets()).map(({ name, samples }) => [name, samples[0]?.value]));

test('the last counts of processes that have ended stay in the sum, and gauges do not', () => {
  const counts = new Counts<string>();
  for (const process of ['a', 'b']) {
    counts.add(process);
    counts.report(process, report(40));
  }
  assert.deepEqual(sums(counts), { posted_total: 80, seconds: 80 });
  counts.end('a');
  assert.deepEqual(sums(counts), { posted_total: 80, seconds: 80 });
  counts.add('c');
  counts.report('c', report(1));
  counts.report('b', report(42));
  assert.deepEqual(sums(counts), { posted_total: 83, seconds: 83 });
});

test('however many processes have ended, their counts are one set', () => {
  const counts = new Counts<string>();
  for (let process = 0; process < 50; process += 1) {
    counts.add(String(process));
    counts.report(String(process), report(1));
    counts.end(String(process));
  }
  assert.equal(counts.sets().length, 1);
  assert.deepEqual(sums(counts), { posted_total: 50, seconds: 50 });
});

test('a report that arrives after the end of its process is not added again', () => {
  const counts = new Counts<string>();
  counts.add('a');
  counts.report('a', report(7));
  counts.end('a');
  counts.report('a', report(7));
  assert.deepEqual(sums(counts), { posted_total: 7, seconds: 7 });
});
