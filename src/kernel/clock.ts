// Time as a dependency: code that needs the time receives a Clock, so that tests can control it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** ISO 8601 in UTC, the format of all timestamps in the API. */
export function iso(at: Date | number): string {
  const ms = Number(at);
  if (ms !== lastMs) [lastMs, lastText] = [ms, new Date(ms).toISOString()];
  return lastText;
}

// Cache of the last conversion: all payments of a batch have the same timestamp.
let lastMs = Number.NaN;
let lastText = '';
