// A manual clock: time changes only when a test advances or sets it.
import type { Clock } from '../../src/kernel/clock.ts';

export interface TestClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

export function testClock(start = Date.parse('2026-03-01T12:00:00Z')): TestClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    set: (ms) => {
      now = ms;
    },
  };
}
