// Converts the query parameters of an alert list into a filter on the table.
import { readRange } from '../../http/date-range.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { AlertsQuery } from './alert-schemas.ts';
import type { AlertFilter } from './alert-store.ts';

export function readFilter(query: AlertsQuery, clock: Clock): AlertFilter | Refusal {
  const { limit: _, offset: __, from, to, overdue, ...plain } = query;
  const range = readRange({ from, to });
  if (range instanceof Refusal) return range;
  return { ...plain, ...range, ...(overdue ? { overdue: { is: overdue === 'true', now: clock.now() } } : {}) };
}
