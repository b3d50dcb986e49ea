// Amounts of bank files: decimal text to integer minor units, without floating point.
import { isCalendarDay } from '../../../../http/fields.ts';
import { type DecimalFormat, parseDecimal } from '../../../../kernel/money.ts';

/** With an optional minus sign. */
export function parseSignedDecimal(text: string, format: DecimalFormat): number | null {
  const amount = parseDecimal(text.startsWith('-') ? text.slice(1) : text, format);
  if (amount === null || amount === 0) return amount;
  return text.startsWith('-') ? -amount : amount;
}

// Other centuries are misread dates.
const [FIRST_DAY, LAST_DAY] = ['2000-01-01', '2099-12-31'];

/** The last day that was checked: a statement's entries have few different days. */
let lastValid = '';

export function isStatementDay(text: string): boolean {
  if (text === lastValid) return true;
  const isValid = text >= FIRST_DAY && text <= LAST_DAY && isCalendarDay(text);
  if (isValid) lastValid = text;
  return isValid;
}

const DAY_MS = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
