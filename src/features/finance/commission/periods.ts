// The periods in which commission is settled: UTC days, and ISO weeks that start on Monday.
import { DAY_MS } from '../../../kernel/clock.ts';

export interface Period {
  /** 2026-11-16, or 2026-W47. */
  name: string;
  /** In milliseconds since 1970. */
  from: number;
  /** Exclusive. */
  to: number;
}

export type PeriodLength = 'day' | 'week';

const DAYS = { day: 1, week: 7 } as const satisfies Record<PeriodLength, number>;

/** What an agent earned in the mode instant needs no settlement; the rest of an earlier mode is settled with the day. */
export function lengthOf(settlementMode: 'instant' | 'daily' | 'weekly'): PeriodLength {
  return settlementMode === 'weekly' ? 'week' : 'day';
}

/** The period that contains the instant. */
export function periodAt(length: PeriodLength, instant: number): Period {
  const day = Math.floor(instant / DAY_MS);
  // 1 January 1970 was a Thursday.
  const first = length === 'day' ? day : day - ((day + 3) % 7);
  const from = first * DAY_MS;
  return { name: nameOf(length, from), from, to: from + DAYS[length] * DAY_MS };
}

/** The latest period that has ended. */
export function endedPeriod(length: PeriodLength, now: number): Period {
  return periodAt(length, periodAt(length, now).from - 1);
}

function nameOf(length: PeriodLength, from: number): string {
  if (length === 'day') return new Date(from).toISOString().slice(0, 'YYYY-MM-DD'.length);
  // An ISO week belongs to the year of its Thursday.
  const thursday = from + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, '0')}`;
}
