// The period of a payment network: the last days, or the days between two dates.
import { type Range, readRange } from '../../../http/date-range.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { DEFAULT_DAYS, MAX_PERIOD_DAYS } from './schemas.ts';

export interface PeriodQuery {
  days?: string;
  from?: string;
  to?: string;
}

/** Inclusive, in milliseconds. */
export function readNetworkPeriod({ days, ...dates }: PeriodQuery, now: number): Required<Range> | Refusal {
  const range = readRange(dates);
  if (range instanceof Refusal) return range;
  if (days !== undefined && (dates.from ?? dates.to) !== undefined) {
    return refuse('INVALID_REQUEST', 'Give either days, or from and to.');
  }
  const to = range.to ?? Math.max(now, range.from ?? 0);
  const from = range.from ?? to - Number(days ?? DEFAULT_DAYS) * DAY_MS;
  if (to - from <= MAX_PERIOD_DAYS * DAY_MS) return { from, to };
  return refuse('INVALID_REQUEST', `The period is longer than ${MAX_PERIOD_DAYS} days: choose a shorter one.`);
}
