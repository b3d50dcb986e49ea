// Money is an integer count of minor units (cents of a Leone); this is how people read it.
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
