// Time as a dependency: code that needs the time receives a Clock, so that tests can control it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const HOURS_PER_DAY = 24;
export const HOURS_PER_WEEK = 7 * HOURS_PER_DAY;
export const DAY_MS = HOURS_PER_DAY * HOUR_MS;

/** 1 January 1970 was a Thursday. ISO weeks start on Monday. */
export const EPOCH_DAYS_AFTER_MONDAY = 3;

/** The first day of the ISO week of a day; both count from 1970, UTC. */
export function mondayOf(day: number): number {
  return day - ((day + EPOCH_DAYS_AFTER_MONDAY) % 7);
}

/** ISO 8601 in UTC, the format of all timestamps in the API. */
export function iso(at: Date | number): string {
  const ms = Number(at);
  if (ms !== lastMs) [lastMs, lastText] = [ms, new Date(ms).toISOString()];
  return lastText;
}

// Cache of the last conversion: all payments of a batch have the same timestamp.
let lastMs = Number.NaN;
let lastText = '';
