// What refusals say to agents and merchants in Krio, by their code. The service's own sentences are English.
import { KissiError } from '@kissi/client';
import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { i18n, loadTexts } from '../../app/language.ts';
import { money } from '../../format/money.ts';
import { instant } from '../../format/time.ts';

await loadTexts('refusals');

type Fields = KissiError['fields'];

/** Undefined without a translation: then the service's sentence is shown. */
export function refusalWords(error: unknown): string | undefined {
  if (!(error instanceof KissiError)) return undefined;
  const text = PLAIN[error.code];
  return WITH_VALUES[error.code]?.(error.fields) ?? (text && i18n._(text));
}

/** Undefined without the value that the sentence needs. */
const WITH_VALUES: Record<string, (fields: Fields) => string | undefined> = {
  INVALID_PIN: wrongPin,
  INVALID_OTP: wrongCode,
  ACCOUNT_LOCKED: ({ locked_until: until }) => {
    if (typeof until !== 'string') return undefined;
    const time = instant(until);
    return t`Too many wrong PINs. Try again after ${time}.`;
  },
  INSUFFICIENT_FLOAT: ({ available, required }) => {
    if (typeof available !== 'number' || typeof required !== 'number') return undefined;
    const [is, needed] = [money(available), money(required)];
    return t`The float has ${is}. The payment needs ${needed}.`;
  },
  REFUND_EXCEEDS_PAYMENT: ({ remaining }) => {
    if (typeof remaining !== 'number') return undefined;
    const left = money(remaining);
    return t`That is more than the payment. ${left} is left to refund.`;
  },
};

/** Without a number of attempts the new PIN is refused: only its sentence says why. */
function wrongPin({ attempts_remaining: left }: Fields): string | undefined {
  if (typeof left !== 'number') return undefined;
  if (left === 0) return t`The PIN is wrong. The account is locked now.`;
  return left === 1 ? t`The PIN is wrong. You have one more try.` : t`The PIN is wrong. You have ${left} more tries.`;
}

function wrongCode({ attempts_remaining: left }: Fields): string {
  return typeof left === 'number' && left > 1
    ? t`The code is wrong. You have ${left} more tries.`
    : t`The code is wrong or too old.`;
}

const NOT_NOW = msg`This payment is not possible now.`;
const WAIT = msg`Too many tries. Wait a while.`;
const LIMIT = msg`That is above the limit for today.`;
const FAILED = msg`The service failed. Try again.`;

const PLAIN: Record<string, MessageDescriptor> = {
  ACCOUNT_LOCKED: msg`Too many wrong PINs. The PIN must be reset. Call support.`,
  AGENT_SUSPENDED: msg`The agent is suspended. Call support.`,
  AGENT_TERMINATED: msg`The agent is closed. Call support.`,
  ALREADY_DECIDED: msg`That has already been answered.`,
  ALREADY_PAID: msg`That has already been paid.`,
  BULK_PAYMENT_EXISTS: msg`The same file was uploaded before.`,
  CANCELLED: msg`That was cancelled.`,
  CARD_BLOCKED: msg`The card is blocked.`,
  CARD_NOT_FOUND: msg`There is no such card.`,
  COMPLIANCE_BLOCKED: msg`The payment was stopped for a check. Call support.`,
  DECLINED: msg`That was declined.`,
  DUPLICATE_BANK_ACCOUNT: msg`You have this bank account already.`,
  DUPLICATE_IDENTITY: msg`Another customer has this identity document.`,
  DUPLICATE_PHONE: msg`This phone number is already registered.`,
  EXPIRED: msg`That is too old. Begin again.`,
  FLOAT_REQUEST_OPEN: msg`Your last request for float is not answered yet.`,
  FORBIDDEN: msg`You may not do this.`,
  INSUFFICIENT_BALANCE: msg`There is not enough money for the amount and the fee.`,
  INSUFFICIENT_FLOAT: msg`There is not enough float for the amount and the fee.`,
  INTERNAL_ERROR: FAILED,
  INVALID_AMOUNT: msg`Enter an amount, such as 25 or 25.50.`,
  INVALID_CODE: msg`The code is wrong or too old.`,
  KEY_LIMIT_EXCEEDED: LIMIT,
  LEVEL_REQUEST_OPEN: msg`The last request for this customer's level is not answered yet.`,
  MAX_BALANCE_EXCEEDED: msg`The other wallet cannot take so much money.`,
  NOT_FOUND: msg`There is nothing under this number.`,
  NOT_REFUNDABLE: msg`This payment cannot be refunded.`,
  PHONE_NOT_VERIFIED: msg`The phone number is not confirmed yet. Enter the code that was sent to it.`,
  PROCESSOR_SUSPENDED: msg`The merchant is suspended. Call support.`,
  QUOTE_CHANGED: msg`The fee has changed. Look at the new total.`,
  RATE_LIMITED: WAIT,
  REQUEST_CONFLICT: msg`This was sent before with other details. Begin again.`,
  SAME_ACCOUNT: msg`Sender and recipient are the same.`,
  SERVICE_UNAVAILABLE: FAILED,
  SUBSCRIBER_BLOCKED: msg`The customer is blocked or not active yet.`,
  SUBSCRIBER_NOT_FOUND: msg`Nobody has this number here.`,
  TOO_MANY_ATTEMPTS: WAIT,
  TOO_MANY_LOOKUPS: WAIT,
  TRANSACTION_FAILED: FAILED,
  TRANSACTION_TYPE_DISABLED: NOT_NOW,
};
