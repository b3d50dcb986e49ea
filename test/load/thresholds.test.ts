// Tests the thresholds of the load test: each fails for results that violate it, and all pass for good results.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MergedResult } from '../../bench/load/merge-results.ts';
import type { Observation } from '../../bench/load/monitor.ts';
import type { OpenLoopResult, Quantiles } from '../../bench/load/open-loop.ts';
import type { LoadResults } from '../../bench/load/phases.ts';
import { checkThresholds } from '../../bench/load/thresholds.ts';

const latency = (p99: number): Quantiles => ({ p50: p99 / 5, p95: p99 / 2, p99, max: p99 * 2 });
const good: Observation = {
  memoryMb: 300,
  databaseConnections: 10,
  clientConnections: 512,
  waiting: 0,
  probeMs: 20,
};
/** Four good observations, the last of them changed. */
const observations = (change: Partial<Observation> = {}) => [good, good, good, { ...good, ...change }];

function openLoopResult(change: Partial<OpenLoopResult>): OpenLoopResult {
  return {
    ...{ scheduled: 0, accepted: 0, latency: latency(100), rejected: 0, rejectionLatency: latency(20) },
    ...{ rejectedWithoutRetryAfter: 0, otherReplies: 0, firstOtherReply: '', unanswered: 0, unsent: 0 },
    ...{ connections: 512, schedulingDelay: latency(1) },
    ...change,
  };
}

const STEADY = { scheduled: 42_000, accepted: 42_000 };
const OVERLOAD = { scheduled: 90_000, accepted: 12_000, rejected: 78_000, latency: latency(400) };

function results(change: {
  steady?: Partial<MergedResult>;
  overload?: Partial<OpenLoopResult>;
  steadyObservation?: Partial<Observation>;
  overloadObservation?: Partial<Observation>;
  recorded?: number;
  recoverySeconds?: number;
}): LoadResults {
  return {
    maximum: 1_000,
    steady: {
      ...{ rates: [700], seconds: 60, observations: observations(change.steadyObservation) },
      result: { ...openLoopResult(STEADY), quarters: Array(4).fill(latency(100)), ...change.steady },
    },
    overload: {
      ...{ rate: 3_000, seconds: 30, observations: observations(change.overloadObservation) },
      ...{ result: openLoopResult({ ...OVERLOAD, ...change.overload }), recorded: change.recorded ?? 12_000 },
    },
    recovery: { beforeMs: 2, afterMs: 2, seconds: change.recoverySeconds ?? 1 },
  };
}

const VIOLATIONS: Record<string, [Parameters<typeof results>[0], RegExp]> = {
  'failed requests at 70 %': [{ steady: { rejected: 43 } }, /70 %: rejected/],
  'growing memory': [{ steadyObservation: { memoryMb: 361 } }, /70 %: memory/],
  'growing latency': [{ steady: { quarters: [100, 100, 100, 161].map(latency) } }, /70 %: p99/],
  'leaked database connections': [{ steadyObservation: { databaseConnections: 11 } }, /70 %: connections/],
  'slow accepted requests under overload': [{ overload: { latency: latency(501) } }, /300 %: p99/],
  'no accepted payments': [
    { overload: { accepted: 0, latency: latency(0) }, recorded: 0 },
    /300 %: payments per second/,
  ],
  'an unbounded queue': [{ overloadObservation: { memoryMb: 601 } }, /300 %: peak memory/],
  'no rejections': [{ overload: { rejected: 0 } }, /300 %: rejected requests$/],
  'a rejection without Retry-After': [{ overload: { rejectedWithoutRetryAfter: 1 } }, /without Retry-After/],
  'an unanswered request': [{ overload: { unanswered: 1 } }, /300 %: unanswered/],
  'an accepted payment that is not recorded': [{ recorded: 11_999 }, /recorded in the ledger/],
  'a recorded payment that was not accepted': [{ recorded: 12_001 }, /recorded in the ledger/],
  'an unavailable /health': [{ overloadObservation: { probeMs: null } }, /health/],
  'a slow recovery': [{ recoverySeconds: 6 }, /recovery/],
};

describe('the load test thresholds', () => {
  const violated = (found: LoadResults) => checkThresholds(found).flatMap(({ name, passed }) => (passed ? [] : [name]));

  test('pass for good results', () => assert.deepEqual(violated(results({})), []));

  for (const [violation, [change, threshold]] of Object.entries(VIOLATIONS)) {
    test(`fail for ${violation}`, () => assert.match(violated(results(change)).join('\n'), threshold));
  }
});
