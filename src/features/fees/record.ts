// The effective fee setting: the operator's custom setting, otherwise the built-in default.
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

export function feeOf(row: SettingRow): FeeSetting {
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
