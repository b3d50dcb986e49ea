// Why a payment was refused, in a few words for customers and for the staff who explain it to them.

import { CURRENCY, formatMoney } from '../../kernel/money.ts';
import { CATALOGUE, type Code } from '../../kernel/refusal.ts';

const WORDS: Partial<Record<Code, string>> = {
  INVALID_PIN: 'wrong PIN',
  ACCOUNT_LOCKED: 'locked after too many wrong PINs',
  TOO_MANY_ATTEMPTS: 'too many wrong PINs entered in one place',
  INSUFFICIENT_BALANCE: 'balance too low',
  INSUFFICIENT_FLOAT: 'float too low',
  DAILY_LIMIT_EXCEEDED: 'would exceed the daily limit',
  MAX_BALANCE_EXCEEDED: 'would exceed the maximum balance',
  NEW_DEVICE: 'would exceed what a new device may pay',
  KEY_LIMIT_EXCEEDED: "would exceed the API key's daily limit",
  PARTNER_EXPOSURE_LIMIT_EXCEEDED: "would exceed the partner's limit",
  AMOUNT_OUT_OF_RANGE: 'outside the amounts agreed with the partner',
  COMPLIANCE_BLOCKED: 'blocked by a compliance rule',
  SUBSCRIBER_BLOCKED: 'customer blocked or not active yet',
  BENEFICIARY_BLOCKED: 'recipient blocked or not active yet',
  TRANSACTION_TYPE_DISABLED: 'this kind of payment is switched off',
  CARD_BLOCKED: 'card blocked',
  CARD_NOT_ASSIGNED: 'card not linked to a customer',
  CARD_NOT_FOUND: 'unknown card',
  PROCESSOR_SUSPENDED: 'merchant suspended',
  AGENT_SUSPENDED: 'agent suspended',
  AGENT_TERMINATED: 'agent terminated',
  PARTNER_SUSPENDED: 'partner suspended',
  MERCHANT_MISMATCH: 'wrong merchant number',
  SUBSCRIBER_NOT_FOUND: 'unknown customer',
  USER_NOT_FOUND: 'unknown customer',
  BENEFICIARY_NOT_FOUND: 'unknown recipient',
  NOT_FOUND: 'unknown recipient or payment',
  SAME_ACCOUNT: 'sender and recipient are the same',
  INVALID_AMOUNT: 'invalid amount',
  INVALID_CODE: 'wrong cash-out code',
  AMOUNT_MISMATCH: 'another amount was asked for',
  QUOTE_CHANGED: 'the fee had changed',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  DECLINED: 'declined',
  ALREADY_PAID: 'already paid',
  ALREADY_CAPTURED: 'already captured',
  ALREADY_VOIDED: 'already voided',
  CAPTURE_EXCEEDS_AUTHORIZATION: 'more than was authorised',
  REFUND_EXCEEDS_PAYMENT: 'more than is left of the payment',
  NOT_REFUNDABLE: 'only card payments can be refunded',
  TREASURY_LIMIT_EXCEEDED: "would exceed the treasury's daily limit",
  TOO_MANY_LOOKUPS: 'too many different customers or cards tried in one place',
  RATE_LIMITED: 'too many attempts',
};

/** The amounts that it is about tell a balance or what is left of a limit of the party. */
const WITH_EXCESS: readonly Code[] = [
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MAX_BALANCE_EXCEEDED',
  'NEW_DEVICE',
];

export const hasExcess = (code: string): boolean => (WITH_EXCESS as readonly string[]).includes(code);

/** `excess`: in minor units; null: unknown, or not for the reader. Rows of an earlier version may have other codes. */
export function reasonInWords(code: string, excess: number | null): string {
  const words = WORDS[code as Code] ?? CATALOGUE[code as Code]?.meaning ?? code;
  return excess === null ? words : `${words} by ${leones(excess)}`;
}

function leones(minorUnits: number): string {
  return `${CURRENCY} ${formatMoney(minorUnits).slice(0, -CURRENCY.length - 1)}`;
}
