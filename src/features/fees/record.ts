// The effective fee setting (custom, else the built-in default), and conversion of its decimal values to integers.
import { shiftDecimalPoint } from '../../kernel/percentage.ts';
import type { Party, PricedType } from '../../ledger/movement-types.ts';
import { DEFAULT_FEES, type FeeSetting } from '../../payments/fees.ts';
import type { SettingRow } from './store.ts';

/** The effective setting of a transaction type and a party. */
export interface Setting {
  /** Null for a built-in default. */
  id: number | null;
  fee: FeeSetting;
  updatedAt: Date | null;
  updatedBy: string | null;
}

export function feeOf(row: Omit<SettingRow, 'id' | 'updated_at' | 'updated_by'>): FeeSetting {
  return {
    // Only `put` writes these columns, and its schema allows no other values.
    transactionType: row.transaction_type as PricedType,
    party: row.party_type as Party,
    feeType: row.fee_type,
    value: row.value,
    debitEnabled: row.debit_enabled,
    creditEnabled: row.credit_enabled,
  };
}

export function ownSetting(row: SettingRow): Setting {
  return { id: row.id, fee: feeOf(row), updatedAt: row.updated_at, updatedBy: row.updated_by };
}

export function defaultSetting(type: string, party: string): Setting | null {
  const fee = DEFAULT_FEES.find((candidate) => appliesTo(candidate, type, party));
  return fee ? { id: null, fee, updatedAt: null, updatedBy: null } : null;
}

export function appliesTo(fee: FeeSetting, type: string, party: string): boolean {
  return fee.transactionType === type && fee.party === party;
}

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
  const decimals = DECIMALS[feeType];
  const integer = shiftDecimalPoint(value, decimals);
  return integer !== null && integer <= LARGEST[feeType] ? integer : null;
}

/** Returns the number that was sent: dividing by a power of ten yields the nearest double, as parsing does. */
export function toDecimal(feeType: FeeType, integer: number): number {
  return integer / 10 ** DECIMALS[feeType];
}
