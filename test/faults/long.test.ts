// Two minutes of faults of every kind under load, on a disk that fsync reaches and on a small one that fills up.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { survive } from './survive.ts';

// Another schedule each time; the name of the test says how to repeat it.
const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const COMMON = { clients: 16, pauseMs: 0 };

describe(`under load with FAULTS_SEED=${SEED}`, () => {
  for (const [disk, seconds, smallDiskMb] of [
    ['a durable disk', 80, null],
    ['a small disk', 40, 1_024],
  ] as const) {
    test(`everything acknowledged survives faults on ${disk}, exactly once`, async (context) => {
      const say = (line: string) => context.diagnostic(line);
      const survived = await survive({ ...COMMON, seed: SEED, seconds, smallDiskMb, say });
      assert.deepEqual(survived.findings.slice(0, 20), [], `the logs are in ${survived.logs}`);
      assert.ok(survived.acknowledged > 0);
    });
  }
});
