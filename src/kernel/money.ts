// Money as an integer number of minor units (cents of a Leone): parsing of requests, and formatting for people.
export const CURRENCY = 'SLE';

/** 123456 → "1,234.56 SLE". */
export function formatMoney(minorUnits: number): string {
  if (!Number.isSafeInteger(minorUnits)) throw new Error(`not an amount in minor units: ${minorUnits}`);
  const sign = minorUnits < 0 ? '-' : '';
  const absolute = Math.abs(minorUnits);
  const whole = String(Math.trunc(absolute / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  const cents = String(absolute % 100).padStart(2, '0');
  return `${sign}${whole}.${cents} ${CURRENCY}`;
}

/** 123456 → "1234.56", for files that other programs read. */
export function decimalMoney(minorUnits: number): string {
  return formatMoney(minorUnits).slice(0, -` ${CURRENCY}`.length).replaceAll(',', '');
}

/** Null if the value is not a positive integer below 2^53. Text must be decimal digits only. */
export function parseAmount(value: number | string): number | null {
  if (typeof value === 'string' && !/^[0-9]+$/.test(value)) return null;
  const amount = Number(value);
  return Number.isSafeInteger(amount) && amount > 0 ? amount : null;
}

/** A sum that PostgreSQL returns as text. One that a number cannot hold must not be rounded. */
export function exactSum(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`a sum of ${text} is too large`);
  return value;
}
