// A setting as it holds: the operator's own, or the built-in default where there is none.
import type { Party, PricedType } from '../../ledger/movement-types.ts';
import { DEFAULT_FEES, type FeeSetting } from '../../payments/fees.ts';
import type { SettingRow } from './store.ts';

/** What holds for a type of transaction and a party. */
export interface Setting {
  /** Null: the built-in default. */
  id: number | null;
  fee: FeeSetting;
  updatedAt: Date | null;
  updatedBy: string | null;
}

export function feeOf(row: SettingRow): FeeSetting {
  return {
    // Written by put alone, which the schema of its body keeps to these.
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
  const fee = DEFAULT_FEES.find((candidate) => speaksOf(candidate, type, party));
  return fee ? { id: null, fee, updatedAt: null, updatedBy: null } : null;
}

export function speaksOf(fee: FeeSetting, type: string, party: string): boolean {
  return fee.transactionType === type && fee.party === party;
}
