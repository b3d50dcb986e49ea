// Adds up a day's payments by hour, in the operator's time zone.
import { timeZone } from '../../format/time.ts';

export interface Sale {
  type?: string;
  amount?: number;
  created_at?: string;
}

export interface HourOfSales {
  hour: number;
  sum: number;
  count: number;
}

/** Shown even without sales, so that the first sale of a day is one bar among others. */
const USUAL_HOURS = [8, 18];

/** From the first hour with a sale to the last one, with the usual hours of a shop. */
export function salesByHour(sales: Sale[]): HourOfSales[] {
  const format = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: timeZone() });
  const hours = new Map<number, HourOfSales>();
  for (const { type, amount = 0, created_at } of sales) {
    if (type !== 'pos_payment' || !created_at) continue;
    const hour = Number(format.format(new Date(created_at)));
    const known = hours.get(hour) ?? { hour, sum: 0, count: 0 };
    hours.set(hour, { hour, sum: known.sum + amount, count: known.count + 1 });
  }
  if (hours.size === 0) return [];
  const shown = [...hours.keys(), ...USUAL_HOURS];
  const [first, last] = [Math.min(...shown), Math.max(...shown)];
  return Array.from(
    { length: last - first + 1 },
    (_, n) => hours.get(first + n) ?? { hour: first + n, sum: 0, count: 0 },
  );
}
