// The house's own accounts, by the ids that the schema gave them.

/** Fees and treasury are laid out in so many, so that gateways do not queue on one row. */
export const STRIPES = 16;

/** Where what is owed stands until it is known by whom. */
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
