// When the country pays: hours of the day, weekdays, market days and salary days.

import type { Random } from '@kissi/testkit/random';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { isMarketDay, TOWNS } from './places.ts';

/** Share of the payments by hour (UTC is the local time of Sierra Leone). */
const HOURS: readonly (readonly [number, number])[] = [
  1, 0.5, 0.3, 0.2, 0.3, 1, 3, 6, 9, 11, 12, 11, 10, 10, 9, 9, 10, 12, 11, 8, 6, 4, 3, 2,
].map((weight, hour) => [hour, weight] as const);
/** From Sunday. */
const WEEKDAYS = [0.75, 0.95, 0.95, 1, 1, 1.15, 1.25];
const MARKET_FACTOR = 1.6;
const PAYDAY_FACTOR = 1.35;

export const dayStart = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
export const weekdayOf = (ms: number) => new Date(ms).getUTCDay();

/** Salaries are paid from the 25th to the 27th. */
export function isSalaryDay(ms: number): boolean {
  const day = new Date(ms).getUTCDate();
  return day >= 25 && day <= 27;
}

/** How busy a day is, compared with an average one. */
export function dayFactor(ms: number): number {
  const day = new Date(ms).getUTCDate();
  const isAfterPayday = day >= 25 || day <= 2;
  return (WEEKDAYS[weekdayOf(ms)] ?? 1) * (isAfterPayday ? PAYDAY_FACTOR : 1);
}

/** Times within the day, in order. */
export function timesOf(random: Random, day: number, count: number): number[] {
  const times = Array.from(
    { length: count },
    () => day + random.weighted(HOURS) * HOUR_MS + random.int(0, HOUR_MS - 1),
  );
  return times.sort((a, b) => a - b);
}

/** How busy this hour is, compared with the average of the day. */
export function hourFactor(ms: number): number {
  const total = HOURS.reduce((sum, [, weight]) => sum + weight, 0);
  const weight = HOURS[new Date(ms).getUTCHours()]?.[1] ?? 1;
  return (weight * HOURS.length) / total;
}

/** By town: people of a town with a market today pay more. */
export function townFactors(ms: number): Map<string, number> {
  const weekday = weekdayOf(ms);
  return new Map(TOWNS.map(({ name }) => [name, isMarketDay(name, weekday) ? MARKET_FACTOR : 1]));
}
