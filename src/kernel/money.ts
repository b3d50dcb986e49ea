// Money is an integer count of minor units (cents of a Leone): how it is read from a request, and how people read it.
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

/** An amount in digits, or as a number of ours; null: it is none, or none that can move. */
export function parseAmount(given: number | string): number | null {
  if (typeof given === 'string' && !/^[0-9]+$/.test(given)) return null;
  const amount = Number(given);
  return Number.isSafeInteger(amount) && amount > 0 ? amount : null;
}
