// A circuit breaker: a service that fails again and again is left alone for a while, and then tried with one request.
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';

export interface Breaker {
  /** Null: leave it alone. Otherwise say how it went. */
  begin(): Trial | null;
}

export interface Trial {
  succeeded(): void;
  failed(): void;
}

export interface BreakerOptions {
  clock: Clock;
  /** Failures in a row that open it. */
  threshold?: number;
  /** How long it then stays open. */
  openMs?: number;
  /** Told once each time it opens or closes. */
  changed(state: 'open' | 'closed'): void;
}

const THRESHOLD = 5;
const OPEN_MS = 30 * SECOND_MS;

export function createBreaker({ clock, threshold = THRESHOLD, openMs = OPEN_MS, changed }: BreakerOptions): Breaker {
  let failures = 0;
  let openUntil: number | null = null;
  let trying = false;
  // What was begun before it last opened or closed says nothing about the service as it is now.
  let era = 0;

  function become(state: 'open' | 'closed'): void {
    // Tried in vain it stays open, of which nobody needs to be told again.
    const news = (openUntil === null) === (state === 'open');
    openUntil = state === 'open' ? clock.now() + openMs : null;
    failures = 0;
    trying = false;
    era += 1;
    if (news) changed(state);
  }

  function failed(): void {
    failures += 1;
    if (trying || failures >= threshold) become('open');
  }

  function succeeded(): void {
    failures = 0;
    if (trying) become('closed');
  }

  return {
    begin() {
      if (openUntil !== null && (trying || clock.now() < openUntil)) return null;
      trying = openUntil !== null;
      const begun = era;
      const told = (how: () => void) => () => {
        if (begun === era) how();
      };
      return { succeeded: told(succeeded), failed: told(failed) };
    },
  };
}
