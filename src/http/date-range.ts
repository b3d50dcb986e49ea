// Date ranges in requests: from and to, each a day or an instant, both inclusive.
import { Type } from 'typebox';
import { DAY_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isCalendarDay, parseInstant } from './fields.ts';

export interface Range {
  /** Inclusive instants in milliseconds. */
  from?: number;
  to?: number;
}

interface RawRange {
  from?: string | undefined;
  to?: string | undefined;
}

export const dayOrInstant = (what: string) =>
  Type.String({ maxLength: 40, description: `${what}, as YYYY-MM-DD or ISO 8601.` });

export function readRange(input: RawRange): Range | Refusal {
  const range: Range = {};
  for (const bound of ['from', 'to'] as const) {
    const text = input[bound];
    if (text === undefined) continue;
    const at = parseInstant(text);
    if (at === null) return refuse('INVALID_REQUEST', `${bound} must be a day (YYYY-MM-DD) or an instant in ISO 8601.`);
    // A day as the upper bound includes the whole day.
    range[bound] = at.getTime() + (bound === 'to' && isCalendarDay(text) ? DAY_MS - 1 : 0);
  }
  if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
    return refuse('INVALID_REQUEST', 'from must not be after to.');
  }
  return range;
}
