// What a payment that the ledger refused is told, in the words of whoever it was refused for.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Refused, Shortfall } from '../ledger/types.ts';
import { cardBlocked } from '../parties/card.ts';
import { WALLET_REFUSALS } from '../parties/subscriber.ts';
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
  return (refusals?.[reason] ?? DEFAULT_REFUSALS[reason])(shortfall);
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

/** For a side that does not define its own. */
const DEFAULT_REFUSALS = {
  ...WALLET_REFUSALS,
  barred: () => cardBlocked(),
} satisfies Record<AccountReason, (shortfall: Shortfall) => Refusal>;
