// Warnings in the reply to a saved fee setting: transaction types whose commissions exceed their fees.
import { PRICED_TYPES, type PricedType } from '../../ledger/movement-types.ts';
import { type FeeSetting, isDeposit, paysOutMore, WITHDRAWAL_TYPE } from '../../payments/fees.ts';

/** `settings`: all custom settings, including the saved one. */
export function notesOn(saved: FeeSetting, settings: readonly FeeSetting[]): string[] {
  const costly = PRICED_TYPES.filter((type) => isAffected(type, saved) && paysOutMore(settings, type));
  const flat = saved.creditEnabled && saved.feeType === 'flat';
  return [...costly.map(moreThanItCharges), ...(flat ? [FLAT_COMMISSION_NOTE] : [])];
}

/** Fees of withdrawals also count for deposits, because money that enters a wallet can be withdrawn again. */
function isAffected(type: PricedType, { transactionType }: FeeSetting): boolean {
  return type === transactionType || (transactionType === WITHDRAWAL_TYPE && isDeposit(type));
}

function moreThanItCharges(type: PricedType): string {
  return `Warning: the percentages of ${type} pay out more than they charge; a user on both sides of a payment earns from it.`;
}

const FLAT_COMMISSION_NOTE = 'A flat commission is limited to the fees of the same payment.';
