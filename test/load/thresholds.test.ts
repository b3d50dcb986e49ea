// The bars of the proof under load must be able to break: each is, by findings that it is there for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Joined } from '../../bench/load/joined.ts';
import type { OpenLoopMeasured, Quantiles } from '../../bench/load/open-loop.ts';
import type { Findings } from '../../bench/load/phases.ts';
import { barsOf } from '../../bench/load/thresholds.ts';
import type { Sight } from '../../bench/load/watch.ts';

const took = (p99: number): Quantiles => ({ p50: p99 / 5, p95: p99 / 2, p99, worst: p99 * 2 });
const sight: Sight = { memoryMb: 300, databaseConnections: 10, clientConnections: 512, waiting: 0, probeMs: 20 };
const sights = (change: Partial<Sight> = {}) => [sight, sight, sight, { ...sight, ...change }];

function measured(change: Partial<OpenLoopMeasured>): OpenLoopMeasured {
  return {
    ...{ due: 0, accepted: 0, took: took(100), shed: 0, shedTook: took(20) },
    ...{ shedWithoutRetryAfter: 0, otherAnswers: 0, firstOther: '', broken: 0, unsent: 0, connections: 512 },
    lateness: took(1),
    ...change,
  };
}

const STEADY = { due: 42_000, accepted: 42_000 };
const OVERLOAD = { due: 90_000, accepted: 12_000, shed: 78_000, took: took(400) };

function findings(change: {
  steady?: Partial<Joined>;
  overload?: Partial<OpenLoopMeasured>;
  steadySight?: Partial<Sight>;
  overloadSight?: Partial<Sight>;
  booked?: number;
  recoverySeconds?: number;
}): Findings {
  return {
    maximum: 1_000,
    steady: {
      ...{ rates: [700], seconds: 60, sights: sights(change.steadySight) },
      measured: { ...measured(STEADY), quarters: Array(4).fill(took(100)), ...change.steady },
    },
    overload: {
      ...{ rate: 3_000, seconds: 30, sights: sights(change.overloadSight) },
      ...{ measured: measured({ ...OVERLOAD, ...change.overload }), booked: change.booked ?? 12_000 },
    },
    recovery: { before: 2, after: 2, seconds: change.recoverySeconds ?? 1 },
  };
}

const BREAKING: Record<string, [Parameters<typeof findings>[0], RegExp]> = {
  'requests that fail at 70 %': [{ steady: { shed: 43 } }, /70 %: sent away/],
  'memory that grows': [{ steadySight: { memoryMb: 361 } }, /70 %: memory/],
  'answers that get slower': [{ steady: { quarters: [100, 100, 100, 161].map(took) } }, /70 %: p99/],
  'connections that are not given back': [{ steadySight: { databaseConnections: 11 } }, /70 %: connections/],
  'those who get in waiting long': [{ overload: { took: took(501) } }, /300 %: p99/],
  'nobody being paid': [{ overload: { accepted: 0, took: took(0) }, booked: 0 }, /300 %: paid/],
  'a queue that grows': [{ overloadSight: { memoryMb: 601 } }, /300 %: memory/],
  'nobody being sent away': [{ overload: { shed: 0 } }, /300 %: sent away$/],
  'who is sent away not being told for how long': [{ overload: { shedWithoutRetryAfter: 1 } }, /without Retry-After/],
  'a connection that breaks': [{ overload: { broken: 1 } }, /300 %: broken/],
  'a payment that was acknowledged and is not there': [{ booked: 11_999 }, /in the books/],
  'a payment that is there and was not acknowledged': [{ booked: 12_001 }, /in the books/],
  'operators who are not let in': [{ overloadSight: { probeMs: null } }, /health/],
  'a crowd that stays': [{ recoverySeconds: 6 }, /recovery/],
};

describe('the bars under load', () => {
  const broken = (found: Findings) => barsOf(found).flatMap(({ name, holds }) => (holds ? [] : [name]));

  test('hold where all is well', () => assert.deepEqual(broken(findings({})), []));

  for (const [what, [change, bar]] of Object.entries(BREAKING)) {
    test(`break by ${what}`, () => assert.match(broken(findings(change)).join('\n'), bar));
  }
});
