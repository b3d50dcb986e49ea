// A fee's value between the wire, where it is a decimal number, and the books, where it is an integer.
import type { FeeSetting } from '../../payments/fees.ts';

type FeeType = FeeSetting['feeType'];

const DECIMALS = { percentage: 4, flat: 2 } as const satisfies Record<FeeType, number>;
/** In the integers of the books: 100 %, and 10,000,000 SLE, more than any wallet may hold. */
const LARGEST = { percentage: 1_000_000, flat: 1_000_000_000 } as const satisfies Record<FeeType, number>;

export const VALUE_RULES = {
  percentage: 'must be from 0 to 100 with at most 4 decimals',
  flat: 'must be from 0 to 10,000,000 SLE with at most 2 decimals',
} as const satisfies Record<FeeType, string>;

/** Ten-thousandths of a percent, or minor units; null for what is too large, too fine or below zero. */
export function toInteger(feeType: FeeType, value: number): number | null {
  // The shortest text that means this number is what the caller wrote: shifting its point is exact, multiplying is not.
  const [, whole = '', fraction = ''] = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(String(value)) ?? [];
  const decimals = DECIMALS[feeType];
  if (whole === '' || fraction.length > decimals) return null;
  const integer = Number(whole + fraction.padEnd(decimals, '0'));
  return integer <= LARGEST[feeType] ? integer : null;
}

/** The number that was given: of an integer and a power of ten, division gives the nearest double, as reading does. */
export function toDecimal(feeType: FeeType, integer: number): number {
  return integer / 10 ** DECIMALS[feeType];
}
