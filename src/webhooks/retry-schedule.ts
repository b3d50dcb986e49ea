// When a delivery is tried, and what becomes of it after an attempt.
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** Six attempts, counted from the first. */
const ATTEMPTS_AT_MS: readonly number[] = [
  0,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  60 * MINUTE_MS,
  360 * MINUTE_MS,
];

export interface Step {
  /** Which of the attempts it was, from 0. */
  step: number;
  /** When it began. */
  at: number;
  acknowledged: boolean;
}

export type Next =
  | { status: 'delivered'; step: number; nextAt: null }
  | { status: 'abandoned'; step: number; nextAt: null }
  | { status: 'pending'; step: number; nextAt: number };

/**
 * On time, attempts come at the offsets above. One that comes late moves those behind it by as much: after an outage of
 * ours a receiver does not get all that were missed at once, and none is used up that way.
 */
export function afterAttempt({ step, at, acknowledged }: Step): Next {
  if (acknowledged) return { status: 'delivered', step, nextAt: null };
  const [offset = 0, next] = ATTEMPTS_AT_MS.slice(step, step + 2);
  if (next === undefined) return { status: 'abandoned', step, nextAt: null };
  return { status: 'pending', step: step + 1, nextAt: at + next - offset };
}
