// The demo's clock: it stands still at a time in the past while the history is made, then follows the system clock.
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';

export interface DemoClock extends Clock {
  /** Never moves backwards. */
  moveTo(ms: number): void;
  /** From now on the system time. */
  followSystem(): void;
  /** Whether it stands still: then it may jump between the sending of a message and its receipt. */
  isStanding(): boolean;
}

export function demoClock(): DemoClock {
  let standsAt: number | null = null;
  return {
    now: () => standsAt ?? systemClock.now(),
    moveTo(ms) {
      standsAt = standsAt === null ? ms : Math.max(standsAt, ms);
    },
    followSystem() {
      standsAt = null;
    },
    isStanding: () => standsAt !== null,
  };
}
