// What refusals say to a customer, in their language. The service's own messages are English, and partly for programs.
import { t } from '@lingui/core/macro';
import { Lost, Refused } from './data/api.ts';
import { money, time } from './format.ts';
import { SUPPORT } from './operator.ts';

/** What only support can put right. */
export const withSupport = (text: string) => `${text} ${SUPPORT ? t`Call support: ${SUPPORT}.` : t`Call support.`}`;

export function explain(error: unknown): string {
  if (error instanceof Lost) return t`The service did not answer. Check your connection.`;
  if (!(error instanceof Refused)) return t`Something went wrong.`;
  const { fields } = error;
  const left = Number(fields.attempts_remaining ?? 0);
  const required = money(Number(fields.required ?? 0));
  const until = typeof fields.locked_until === 'string' ? time(fields.locked_until) : null;
  switch (error.code) {
    case 'INVALID_PIN':
      if (left === 1) return t`The PIN is wrong. You have one more try.`;
      return left > 0 ? t`The PIN is wrong. You have ${left} more tries.` : t`The PIN is wrong.`;
    case 'INVALID_CODE':
      return t`The code is wrong or too old.`;
    case 'ACCOUNT_LOCKED':
      return until
        ? t`Too many wrong PINs. Try again after ${until}.`
        : t`Too many wrong PINs. Ask an agent or support for a new PIN.`;
    case 'SUBSCRIBER_BLOCKED':
      return withSupport(t`The wallet is blocked.`);
    case 'TOO_MANY_ATTEMPTS':
    case 'TOO_MANY_LOOKUPS':
    case 'RATE_LIMITED':
      return t`Too many tries. Wait a while.`;
    case 'INSUFFICIENT_BALANCE':
      return t`You do not have enough money for the amount and the fee.`;
    case 'DAILY_LIMIT_EXCEEDED':
      return typeof fields.available === 'number'
        ? t`That is above your limit. Today you can still pay ${money(fields.available)}.`
        : t`That is above your limit for today.`;
    case 'NEW_DEVICE':
      return t`This phone is new: it can do this 24 hours after the first login.`;
    case 'MAX_BALANCE_EXCEEDED':
      return t`The other wallet cannot take so much money.`;
    case 'PROCESSOR_SUSPENDED':
    case 'TRANSACTION_TYPE_DISABLED':
      return withSupport(t`This payment is not possible now.`);
    case 'SUBSCRIBER_NOT_FOUND':
      return t`Nobody has this number here.`;
    case 'SAME_ACCOUNT':
      return t`That is your own wallet.`;
    case 'AMOUNT_MISMATCH':
      return t`The amount must be ${required}.`;
    case 'INVALID_AMOUNT':
      return t`Enter an amount, such as 25 or 25.50.`;
    case 'QUOTE_CHANGED':
      return t`The fee has changed. Look at the new total.`;
    case 'QUOTE_USED':
    case 'ALREADY_PAID':
      return t`That has already been paid.`;
    case 'EXPIRED':
      return t`That is too old. Begin again.`;
    case 'CASE_EXISTS':
      return t`You have reported that already. Look under Problems.`;
    case 'NO_RECALL':
    case 'RECALL_ENDED':
      return t`That has already been answered.`;
    case 'CANCELLED':
      return t`That was cancelled.`;
    case 'DECLINED':
      return t`That was declined.`;
    case 'COMPLIANCE_BLOCKED':
      return withSupport(t`The payment was stopped for a check.`);
    case 'NOT_FOUND':
      return t`There is nothing under this number.`;
    default:
      return error.message;
  }
}
