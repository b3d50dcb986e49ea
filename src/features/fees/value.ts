// Converts fee values between the decimal numbers of the API and the integers of the database.
import type { FeeSetting } from '../../payments/fees.ts';

type FeeType = FeeSetting['feeType'];

const DECIMALS = { percentage: 4, flat: 2 } as const satisfies Record<FeeType, number>;
/** As stored integers: 100 %, and 10,000,000 SLE, which is more than any wallet may hold. */
const LARGEST = { percentage: 1_000_000, flat: 1_000_000_000 } as const satisfies Record<FeeType, number>;

export const VALUE_RULES = {
  percentage: 'must be from 0 to 100 with at most 4 decimals',
  flat: 'must be from 0 to 10,000,000 SLE with at most 2 decimals',
} as const satisfies Record<FeeType, string>;

/** Ten-thousandths of a percent, or minor units. Null if the value is negative, too large or too precise. */
export function toInteger(feeType: FeeType, value: number): number | null {
  // Shifts the decimal point of the shortest text of the number, which is exact; multiplication is not.
  const [, whole = '', fraction = ''] = /^(\d{1,8})(?:\.(\d{1,4}))?$/.exec(String(value)) ?? [];
  const decimals = DECIMALS[feeType];
  if (whole === '' || fraction.length > decimals) return null;
  const integer = Number(whole + fraction.padEnd(decimals, '0'));
  return integer <= LARGEST[feeType] ? integer : null;
}

/** Returns the number that was sent: dividing by a power of ten yields the nearest double, as parsing does. */
export function toDecimal(feeType: FeeType, integer: number): number {
  return integer / 10 ** DECIMALS[feeType];
}
