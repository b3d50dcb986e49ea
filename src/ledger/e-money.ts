// E-money: all that holders of accounts could claim. Reports and daily closes share this definition.
import type { AccountKind } from './account-kinds.ts';

/** Kinds of accounts that are not holders' claims: what was issued, and what others owe for it. */
const NOT_E_MONEY: readonly string[] = ['treasury', 'partner_clearing', 'suspense'] satisfies AccountKind[];

/** Fee income counts: the operator can claim it from the trust accounts. */
export function isEMoney(kind: string): boolean {
  return !NOT_E_MONEY.includes(kind);
}
