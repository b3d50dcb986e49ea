// The periods of series: hours, UTC days and ISO weeks that contain the requested range.
import type { Range } from '../../http/date-range.ts';
import { HOUR_MS, HOURS_PER_DAY, HOURS_PER_WEEK, mondayOf } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Hours } from '../../ledger/queries/rollups.ts';

export const STEPS = ['hour', 'day', 'week'] as const;
export type Step = (typeof STEPS)[number];

const HOURS: Record<Step, number> = { hour: 1, day: HOURS_PER_DAY, week: HOURS_PER_WEEK };
const DEFAULT_POINTS: Record<Step, number> = { hour: 24, day: 30, week: 12 };
/** A month of hours, or two years of days. */
export const MAX_POINTS = 750;

/** The start of the step that contains the hour. */
export function stepStart(hour: number, step: Step): number {
  if (step === 'hour') return hour;
  const day = Math.floor(hour / HOURS_PER_DAY);
  return (step === 'week' ? mondayOf(day) : day) * HOURS_PER_DAY;
}

/** Whole steps. By default they end with the running one. */
export function periodOf({ from, to }: Range, step: Step, now: number): Hours | Refusal {
  const size = HOURS[step];
  const hourOf = (at: number) => Math.floor(at / HOUR_MS);
  const last = stepStart(hourOf(to ?? Math.max(now, from ?? 0)), step);
  const first = from === undefined ? last - (DEFAULT_POINTS[step] - 1) * size : stepStart(hourOf(from), step);
  if (first < 0) return refuse('INVALID_REQUEST', 'from must not be before 1970.');
  const points = (last - first) / size + 1;
  if (points > MAX_POINTS) {
    const hint = step === 'week' ? 'shorten the period' : 'shorten the period or choose a longer step';
    return refuse('INVALID_REQUEST', `The period has ${points} points; at most ${MAX_POINTS} are allowed: ${hint}.`);
  }
  return { from: first, to: last + size, step: size };
}

export function pointsOf({ from, to, step }: Hours): number {
  return (to - from) / step;
}

export function startOf({ from, step }: Hours, bucket: number): Date {
  return new Date((from + bucket * step) * HOUR_MS);
}
