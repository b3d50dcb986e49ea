// Percentages as integers: ten-thousandths of a percent, so that sums and shares are exact.
const DECIMALS = 4;

/** Null if the value is negative, above the maximum, or has more than four decimals. `max` is in percent. */
export function parsePercentage(value: number, max: number): number | null {
  const units = shiftDecimalPoint(value, DECIMALS);
  return units !== null && units <= max * 10 ** DECIMALS ? units : null;
}

/** The number that was parsed: dividing by a power of ten yields the nearest double, as parsing does. */
export function percentageOf(units: number): number {
  return units / 10 ** DECIMALS;
}

/**
 * Shifts the decimal point of the shortest text of the number, which is exact; multiplication is not. Null if the number is
 * negative, or has more than eight digits before the point or more than `decimals` (at most four) behind it.
 */
export function shiftDecimalPoint(value: number, decimals: number): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(String(value)) ?? [];
  return whole === '' || fraction.length > decimals ? null : Number(whole + fraction.padEnd(decimals, '0'));
}
