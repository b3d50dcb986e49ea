// The operator's own accounts, by the ids that the schema gives them.
import type { AccountKind } from './account-kinds.ts';

/** Fee income and treasury are striped over this many accounts, so that gateways do not contend for one row. */
export const STRIPES = 16;

/** Suspense account: holds credits whose payer is not yet identified. */
export const SUSPENSE = 'sys_suspense';

/** Holds pay-outs to bank accounts until the bank's debit is matched with them. Negative: the bank sent more back. */
export const PAYOUTS_IN_TRANSIT = 'sys_payouts_in_transit';

export function feeAccountOf(stripe: number): string {
  return `sys_fees_${twoDigits(stripe)}`;
}

export function treasuryAccountOf(stripe: number): string {
  return `sys_treasury_${twoDigits(stripe)}`;
}

const stripes = Array.from({ length: STRIPES }, (_, stripe) => stripe);
export const FEE_ACCOUNTS: readonly string[] = stripes.map(feeAccountOf);
/** All of them with their kinds, as the schema creates them. */
export const SYSTEM_ACCOUNTS: ReadonlyMap<string, AccountKind> = new Map<string, AccountKind>([
  [SUSPENSE, 'suspense'],
  [PAYOUTS_IN_TRANSIT, 'payouts_in_transit'],
  ...FEE_ACCOUNTS.map((id) => [id, 'fee_income'] as const),
  ...stripes.map((stripe) => [treasuryAccountOf(stripe), 'treasury'] as const),
]);

export function isSystemAccount(accountId: string): boolean {
  return SYSTEM_ACCOUNTS.has(accountId);
}

function twoDigits(stripe: number): string {
  return String(stripe).padStart(2, '0');
}
