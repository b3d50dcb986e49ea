// The figures of a chart, and how they are written.
import { amount, count } from '../../format/money.ts';
import { calendarDay, clockTime } from '../../format/time.ts';

export type Tone = 'primary' | 'quiet' | 'warning' | 'danger';

export interface Series {
  name: string;
  /** One per instant; null where there is none. */
  values: readonly (number | null)[];
  tone?: Tone;
  dashed?: boolean;
}

export interface ChartData {
  /** ISO 8601, ascending. */
  at: readonly string[];
  series: readonly Series[];
  unit?: 'count' | 'minor_units';
  step?: 'hour' | 'day' | 'week';
  /** The list that an instant's figures count. */
  linkAt?: ((iso: string) => { to: string; search: Record<string, string> }) | undefined;
  /** Columns instead of a line. */
  bars?: boolean;
}

export const writtenFigure = (value: number | null | undefined, unit: ChartData['unit']) =>
  value == null ? '–' : unit === 'minor_units' ? amount(value) : count(value);

/** The service counts days in UTC, hours are shown in the operator's zone. */
export const writtenTime = (iso: string, step: ChartData['step']) =>
  step === 'hour' ? clockTime(iso) : calendarDay(iso);
