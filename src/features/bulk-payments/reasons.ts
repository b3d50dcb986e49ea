// Why a row cannot be paid: its codes in words, for the payer. Nothing in them is about the person.
import { KYC_LIMITS } from '../../kernel/kyc.ts';
import { formatMoney } from '../../kernel/money.ts';

/** A code pays at most as much as a new wallet may pay on one day. */
export const MAX_CODE_AMOUNT = KYC_LIMITS[1]?.dailyLimit ?? 0;

const REASONS = {
  INVALID_PHONE_NUMBER: 'This is not a phone number.',
  RECIPIENT_UNAVAILABLE: 'No active wallet has this number.',
  DUPLICATE_REFERENCE: 'An earlier row of the file has the same reference.',
  REFERENCE_USED: 'The reference was used in the last 90 days by a row that is paid or can still be paid.',
  AMOUNT_OUT_OF_RANGE: "The amount is outside the partner's limits of a single credit.",
  CODE_AMOUNT_EXCEEDED: `The number has no wallet, and a code pays at most ${formatMoney(MAX_CODE_AMOUNT)}.`,
} as const;

export type InvalidReason = keyof typeof REASONS;

export function wordsOf(reason: string): string {
  return REASONS[reason as InvalidReason] ?? reason;
}
