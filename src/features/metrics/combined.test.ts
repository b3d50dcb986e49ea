// The metrics of several gateways as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combined } from './combined.ts';
import type { ReadFamily, Snapshot } from './prometheus.ts';

const family = (
  name: string,
  type: ReadFamily['type'],
  value: number,
  extra: Partial<ReadFamily> = {},
): ReadFamily => ({
  ...{ name, help: name, type, samples: [{ value, labels: { type: 'p2p' } }] },
  ...extra,
});
const snapshot = (n: number): Snapshot => ({
  families: [
    family('posted_total', 'counter', n),
    family('queue', 'gauge', n, { combine: 'sum' }),
    family('backlog', 'gauge', n),
    family('up', 'gauge', n, { combine: 'min' }),
  ],
  process: [
    {
      name: 'cpu',
      help: 'cpu',
      type: 0 as never,
      collect: () => undefined,
      aggregator: 'sum',
      values: [{ value: n, labels: {} }],
    },
  ],
});

test("counts are added, values of the database are not, and a process's are labelled with its gateway", () => {
  const { families, process } = combined(
    new Map([
      ['0', snapshot(1)],
      ['1', snapshot(4)],
    ]),
  );
  const samplesOf = (name: string) => families.find((each) => each.name === name)?.samples;
  const one = (value: number) => [{ value, labels: { type: 'p2p' } }];
  assert.deepEqual(['posted_total', 'queue', 'backlog', 'up'].map(samplesOf), [one(5), one(5), one(4), one(1)]);
  assert.deepEqual(
    process.map(({ values }) => values),
    [
      [
        { value: 1, labels: { gateway: '0' } },
        { value: 4, labels: { gateway: '1' } },
      ],
    ],
  );
});
