// Deadlines in working days: a pure calculation. Days are UTC, which is the time in Sierra Leone.
import { DAY_MS, EPOCH_DAYS_AFTER_MONDAY } from '../../../kernel/clock.ts';

export interface Calendar {
  /** ISO: 1 is Monday. */
  working_days: readonly number[];
  /** YYYY-MM-DD. */
  holidays: readonly string[];
}

const WEEK = 7;
/** More days in a row than any calendar has without work. */
const MOST_DAYS = 3_660;

/** The end of the last of so many working days, the first of which is the one after the day of the instant. */
export function afterWorkingDays(from: number, days: number, { working_days, holidays }: Calendar): number {
  const free = new Set(holidays);
  let day = Math.floor(from / DAY_MS);
  let left = days;
  for (let passed = 0; left > 0 && passed < MOST_DAYS; passed += 1) {
    day += 1;
    const weekday = ((day + EPOCH_DAYS_AFTER_MONDAY) % WEEK) + 1;
    if (working_days.includes(weekday) && !free.has(dayText(day))) left -= 1;
  }
  return (day + 1) * DAY_MS;
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
