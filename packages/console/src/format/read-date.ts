// Reads the dates that people type: 16 Nov 2026, 16/11/2026, 16.11., 2026-11-16, today. Periods of the lists' filters.
import { today } from './time.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/** As the service expects it, such as 2026-11-16; null if it is not a date. A date without a year is of this year. */
export function readDate(text: string, now = today()): string | null {
  const words = text.trim().toLowerCase();
  if (words === 'today') return now;
  if (words === 'yesterday') return dayAfter(now, -1);
  const parts = words.split(/[\s/.,-]+/).filter(Boolean);
  const [first = '', second = '', third = now.slice(0, 4)] = parts;
  if (parts.length > 3 || second === '') return null;
  return /^\d{4}$/.test(first) ? dateOf(first, second, third) : dateOf(third, second, first);
}

function dateOf(year: string, monthText: string, day: string): string | null {
  const month = MONTHS.indexOf(monthText.slice(0, 3)) + 1 || Number(monthText);
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(day) || !Number.isInteger(month)) return null;
  const iso = [year, String(month).padStart(2, '0'), day.padStart(2, '0')].join('-');
  const read = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(iso) ? iso : null;
}

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export type PeriodName = 'today' | 'yesterday' | 'this week' | 'last week' | 'this month' | 'last month';

/** Both days included. Weeks begin on Monday. */
export function periods(now = today()): Record<PeriodName, { from: string; to: string }> {
  const weekday = (new Date(`${now}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = dayAfter(now, -weekday);
  const month = `${now.slice(0, 7)}-01`;
  const lastOfMonth = dayAfter(month, -1);
  return {
    today: { from: now, to: now },
    yesterday: { from: dayAfter(now, -1), to: dayAfter(now, -1) },
    'this week': { from: monday, to: now },
    'last week': { from: dayAfter(monday, -7), to: dayAfter(monday, -1) },
    'this month': { from: month, to: now },
    'last month': { from: `${lastOfMonth.slice(0, 7)}-01`, to: lastOfMonth },
  };
}
