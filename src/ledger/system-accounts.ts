// The operator's own accounts, by the ids that the schema gives them.

/** Fee income and treasury are striped over this many accounts, so that gateways do not contend for one row. */
export const STRIPES = 16;

/** Suspense account: holds credits whose payer is not yet identified. */
export const SUSPENSE = 'sys_suspense';

export function feeAccountOf(stripe: number): string {
  return `sys_fees_${twoDigits(stripe)}`;
}

export function treasuryAccountOf(stripe: number): string {
  return `sys_treasury_${twoDigits(stripe)}`;
}

export function isSystemAccount(accountId: string): boolean {
  return accountId.startsWith('sys_');
}

function twoDigits(stripe: number): string {
  return String(stripe).padStart(2, '0');
}
