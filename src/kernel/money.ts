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

export interface DecimalFormat {
  separator: '.' | ',';
  /** Decimals beyond the second one must be zeros. */
  maxDecimals: number;
}

/** Null if the text is not an unsigned amount, or too large. */
export function parseDecimal(text: string, { separator, maxDecimals }: DecimalFormat): number | null {
  const [whole = '', decimals = '', ...more] = text.split(separator);
  if (more.length > 0 || !/^\d{1,18}$/.test(whole) || !/^\d*$/.test(decimals)) return null;
  if (decimals.length > maxDecimals || /[^0]/.test(decimals.slice(2))) return null;
  // The conversion is exact below 2^53. Larger values become unsafe integers.
  const minorUnits = Number(whole + decimals.slice(0, 2).padEnd(2, '0'));
  return Number.isSafeInteger(minorUnits) ? minorUnits : null;
}

/** A sum that PostgreSQL returns as text. One that a number cannot hold must not be rounded. */
export function exactSum(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`a sum of ${text} is too large`);
  return value;
}
