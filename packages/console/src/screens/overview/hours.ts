// The hours and days that the overview's figures belong to.
import type { Comparison } from '@kissi/client';
import type { OverviewReply } from '../../api/overview.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** Today until the running hour, against the same hours a week before; null in the first hour of a day. */
export function fullHours({ today_full_hours: full }: OverviewReply): Comparison | null {
  return full && full.current.from !== full.current.to ? full : null;
}

/** The starts of steps, ISO 8601. */
export const startsOf = (from: string, step: keyof typeof STEP_MS, count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * STEP_MS[step]).toISOString());
