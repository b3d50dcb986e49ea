// More than a minute of faults of every kind under load, on a durable disk and on a small disk that fills up.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runFaults } from './fault-run.ts';

// A new schedule each time; the test name contains the seed that repeats it.
const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const COMMON = { clients: 16, pauseMs: 0 };

describe(`under load with FAULTS_SEED=${SEED}`, () => {
  for (const [disk, seconds, smallDiskMb] of [
    ['a durable disk', 50, null],
    ['a small disk', 25, 1_024],
  ] as const) {
    test(`every acknowledged movement exists exactly once after faults on ${disk}`, async (context) => {
      const log = (line: string) => context.diagnostic(line);
      const result = await runFaults({ ...COMMON, seed: SEED, seconds, smallDiskMb, log });
      assert.deepEqual(result.findings.slice(0, 20), [], `the logs are in ${result.logs}`);
      assert.ok(result.acknowledged > 0);
    });
  }
});
