// Amounts as people read and write them. The service counts minor units (cents).
import { parseMoney } from '@kissi/client';

export { readMoney as readAmount } from '@kissi/client';

const CURRENCY = 'SLE';
const number = new Intl.NumberFormat('en-SL', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-SL', { notation: 'compact', maximumFractionDigits: 1 });

/** 125050 as `1,250.50`. Exact up to 2^53 minor units, the largest amount of the service. */
export function amount(minorUnits: number): string {
  const sign = minorUnits < 0 ? '−' : '';
  const digits = String(Math.abs(minorUnits)).padStart(3, '0');
  return `${sign}${Number(digits.slice(0, -2)).toLocaleString('en-SL')}.${digits.slice(-2)}`;
}

/** 125050 as `SLE 1,250.50`. */
export const money = (minorUnits: number) => `${CURRENCY}\u00a0${amount(minorUnits)}`;

/** For charts and tiles: 1250000000 as `SLE 12.5M`. */
export const shortMoney = (minorUnits: number) => `${CURRENCY}\u00a0${compact.format(minorUnits / 100)}`;

/** Without the currency, for the axis of a chart. */
export const shortAmount = (minorUnits: number) => compact.format(minorUnits / 100);

/** Some fields of records are written for people, such as `80.00 SLE`. */
export const minorUnitsOf = (value: string | number) => (typeof value === 'number' ? value : parseMoney(value));

/** Fields of records with minor units, in values that the console shows without knowing the record. */
export const isMoneyField = (name: string) =>
  /(^|_)(balance|amount|fee|outstanding|threshold)$|(^|_)(daily|outstanding)_limit$/.test(name);

export const count = (value: number) => value.toLocaleString('en-SL');
export const percent = (ratio: number) => `${number.format(ratio * 100)} %`;

/** `1.1409` as `114.09 %`, digit by digit, because it is rounded down already. */
export function ratioInPercent(ratio: string): string {
  const [whole = '0', decimals = ''] = ratio.split('.');
  const digits = decimals.padEnd(4, '0');
  return `${Number(whole + digits.slice(0, 2))}.${digits.slice(2, 4)} %`;
}
