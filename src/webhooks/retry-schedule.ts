// The retry schedule of webhooks: the status of a delivery after an attempt, and the time of the next one.
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** Offsets of the six attempts from the first. */
const ATTEMPTS_AT_MS: readonly number[] = [
  0,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  60 * MINUTE_MS,
  360 * MINUTE_MS,
];

export interface Step {
  /** The index of the attempt, from 0. */
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
 * Attempts on time are made at the offsets above. A late attempt delays the following ones by as much: after an outage
 * of this service, a receiver does not get all missed attempts at once, and none is lost.
 */
export function afterAttempt({ step, at, acknowledged }: Step): Next {
  if (acknowledged) return { status: 'delivered', step, nextAt: null };
  const [offset = 0, next] = ATTEMPTS_AT_MS.slice(step, step + 2);
  if (next === undefined) return { status: 'abandoned', step, nextAt: null };
  return { status: 'pending', step: step + 1, nextAt: at + next - offset };
}
