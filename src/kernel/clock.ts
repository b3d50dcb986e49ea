// Time as a dependency: everything that looks at the time is handed a Clock, so tests can move it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** ISO 8601 in UTC, the form of every timestamp on the wire. */
export function iso(at: Date | number): string {
  const ms = Number(at);
  if (ms !== lastMs) [lastMs, lastText] = [ms, new Date(ms).toISOString()];
  return lastText;
}

// All payments of a batch were made in the same millisecond.
let lastMs = Number.NaN;
let lastText = '';
