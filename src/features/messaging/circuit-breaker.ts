// A circuit breaker: after repeated failures it rejects requests for a while, then allows one trial request.
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

export interface Breaker {
  /** Null while the breaker is open. Otherwise the caller reports its request's result. */
  begin(): Trial | null;
  /** How many requests may begin now: any number while it is closed, and one after it was open for a while. */
  room(): number;
}

export interface Trial {
  succeeded(): void;
  failed(): void;
}

export interface BreakerOptions {
  clock: Clock;
  /** The number of consecutive failures that opens it. */
  threshold?: number;
  /** How long it stays open. */
  openMs?: number;
  /** Called each time it opens or closes. */
  onChange(state: 'open' | 'closed'): void;
}

const THRESHOLD = 5;
const OPEN_MS = 30 * SECOND_MS;

export function createBreaker({ clock, threshold = THRESHOLD, openMs = OPEN_MS, onChange }: BreakerOptions): Breaker {
  let failures = 0;
  let openUntil: number | null = null;
  let trying = false;
  // Results of requests that began before the last state change are ignored.
  let generation = 0;

  function transition(state: 'open' | 'closed'): void {
    // After a failed trial it stays open, which is not reported again.
    const hasChanged = (openUntil === null) === (state === 'open');
    openUntil = state === 'open' ? clock.now() + openMs : null;
    failures = 0;
    trying = false;
    generation += 1;
    if (hasChanged) onChange(state);
  }

  function failed(): void {
    failures += 1;
    if (trying || failures >= threshold) transition('open');
  }

  function succeeded(): void {
    failures = 0;
    if (trying) transition('closed');
  }

  function room(): number {
    if (openUntil === null) return Number.POSITIVE_INFINITY;
    return trying || clock.now() < openUntil ? 0 : 1;
  }

  return {
    room,
    begin() {
      if (room() === 0) return null;
      trying = openUntil !== null;
      const startedIn = generation;
      const ifCurrent = (report: () => void) => () => {
        if (startedIn === generation) report();
      };
      return { succeeded: ifCurrent(succeeded), failed: ifCurrent(failed) };
    },
  };
}
