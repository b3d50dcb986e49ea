// The retry schedule of webhooks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterAttempt } from './retry-schedule.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

/** The offsets in seconds of the attempts if each begins `lateMs` after it was due, and the final status. */
function course(lateMs: number): { seconds: number[]; end: string } {
  const seconds: number[] = [];
  let step = 0;
  for (let at = START; ; ) {
    seconds.push((at - START) / 1_000);
    const next = afterAttempt({ step, at, acknowledged: false });
    if (next.status !== 'pending') return { seconds, end: next.status };
    step = next.step;
    at = next.nextAt + lateMs;
  }
}

test('makes six attempts at 0s, 30s, 2m, 10m, 1h and 6h after the first, then abandons the delivery', () => {
  assert.deepEqual(course(0), { seconds: [0, 30, 120, 600, 3_600, 21_600], end: 'abandoned' });
});

test('a late attempt delays the following ones by as much', () => {
  assert.deepEqual(course(100_000).seconds, [0, 130, 320, 900, 4_000, 22_100]);
});

test('an acknowledgement ends the delivery at any step', () => {
  for (const step of [0, 1, 5]) {
    assert.deepEqual(afterAttempt({ step, at: START, acknowledged: true }), {
      status: 'delivered',
      step,
      nextAt: null,
    });
  }
});
