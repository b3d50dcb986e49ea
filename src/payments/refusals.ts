// What a payment that the ledger refused is told, in the words of whoever it was refused for.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Refused, Shortfall } from '../ledger/types.ts';
import type { PaymentAlerts } from './alerts.ts';
import type { AccountReason, Payment, Side } from './payment.ts';

export function refusalOf(
  { payer, payee, allowances = [] }: Payment,
  refused: Refused,
  alerts: PaymentAlerts,
): Refusal {
  const { reason, subject } = refused;
  if (reason === 'compliance') return blocked(alerts.blockedId());
  if (reason !== 'allowance') return sideRefusal(subject === payer.accountId ? payer : payee, reason, refused);
  const allowance = allowances.find(({ id }) => id === subject);
  if (!allowance) throw new Error(`${subject} is no allowance of this payment`);
  return allowance.refusal(refused);
}

function sideRefusal({ refusals }: Side, reason: AccountReason, shortfall: Shortfall): Refusal {
  return (refusals?.[reason] ?? WALLET_REFUSALS[reason])(shortfall);
}

/** By which rule is for those who review the alert: whoever is watched is not told how. */
function blocked(alertId: string): Refusal {
  return refuse('COMPLIANCE_BLOCKED', 'A compliance rule does not let this payment pass.', {
    details: { alert_id: alertId },
  });
}

export function conflict(): Refusal {
  return refuse('REQUEST_CONFLICT', 'This request_id was used before for a request with other details.');
}

/** With its fee it is more than any account can hold, and so more than any limit. */
export function tooLarge({ payer, payee, amount, countsDaily }: Payment): Refusal {
  const shortfall = { available: 0, required: amount };
  return countsDaily ? sideRefusal(payer, 'daily_limit', shortfall) : sideRefusal(payee, 'ceiling', shortfall);
}

const WALLET_REFUSALS = {
  account_missing: () => refuse('SUBSCRIBER_NOT_FOUND', 'There is no such subscriber.'),
  account_frozen: () => refuse('SUBSCRIBER_BLOCKED', 'The subscriber is blocked.'),
  type_disabled: () => refuse('TRANSACTION_TYPE_DISABLED', 'This type of transaction is disabled for the subscriber.'),
  barred: () => refuse('CARD_BLOCKED', 'The card is blocked.'),
  daily_limit: () => refuse('DAILY_LIMIT_EXCEEDED', "The amount exceeds what is left of the wallet's daily limit."),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount would exceed the maximum balance of the wallet.'),
  floor: () => refuse('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and its fee.'),
} satisfies Record<AccountReason, (shortfall: Shortfall) => Refusal>;
