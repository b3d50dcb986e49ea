// The refusal that a caller gets for each reason the ledger refuses a payment.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { drawsOf } from '../ledger/holds/tables.ts';
import { MOVEMENT_TYPES } from '../ledger/movement-types.ts';
import type { Refused, Shortfall } from '../ledger/types.ts';
import { cardBlocked } from '../parties/card.ts';
import { WALLET_REFUSALS } from '../parties/subscriber.ts';
import type { AccountReason, PaymentPlan, Side } from './plan.ts';

/** `alertId`: of the alert about a payment that compliance blocks. */
export function refusalOf(plan: PaymentPlan, refused: Refused, alertId: () => string): Refusal {
  const { payer, payee, allowances = [] } = plan;
  const { reason, subject } = refused;
  if (reason === 'compliance') return blocked(alertId());
  if (reason === 'check_only') throw new Error('a payment that was only checked has no refusal');
  if (reason === 'refused_before') throw new Error('a planned payment was refused before');
  if (reason === 'expired') {
    if (!plan.validUntil) throw new Error('a payment without an end of its validity expired');
    return plan.validUntil.refusal();
  }
  if (reason === 'hold_ended') return holdEnded();
  // What is left of the hold, and what of the balance, is the same.
  if (reason === 'allowance' && plan.draws && subject === drawsOf(plan.draws.id)) return lacksMoney(plan);
  if (reason !== 'allowance') {
    const side = subject === payer.accountId ? payer : payee;
    return withExcess(sideRefusal(side, reason, refused), side, refused);
  }
  const allowance = allowances.find(({ id }) => id === subject);
  if (!allowance) throw new Error(`${subject} is not an allowance of this payment`);
  return withExcess(allowance.refusal(refused), payer, refused);
}

function withExcess(refusal: Refusal, { accountId }: Side, { available, required }: Shortfall): Refusal {
  if (required > available) refusal.excess = { accountId, amount: required - available };
  return refusal;
}

function sideRefusal({ refusals }: Side, reason: AccountReason, shortfall: Shortfall): Refusal {
  return (refusals?.[reason] ?? DEFAULT_REFUSALS[reason])(shortfall);
}

/** Does not say which rule blocked it: only the reviewers of the alert see that. */
function blocked(alertId: string): Refusal {
  return refuse('COMPLIANCE_BLOCKED', 'A compliance rule blocks this payment.', {
    details: { alert_id: alertId },
  });
}

/** The caller reads how it ended, and says so. */
export function holdEnded(): Refusal {
  return refuse('ALREADY_CAPTURED', 'The authorisation has ended.');
}

export function conflict(): Refusal {
  return refuse('REQUEST_CONFLICT', 'This request_id was used before with different details.');
}

/** Amount and fee exceed 2^53: refused like an amount over the limit. */
export const tooLarge = exceedsLimit;

/** The refusal of a payer whose balance does not cover the amount. */
export function lacksMoney({ payer, amount }: PaymentPlan): Refusal {
  return sideRefusal(payer, 'floor', { available: 0, required: amount });
}

/** The refusal of an amount over the daily limit of the payer or, where it does not count, over the payee's ceiling. */
export function exceedsLimit({ type, payer, payee, amount }: PaymentPlan): Refusal {
  const shortfall = { available: 0, required: amount };
  const { countsDaily } = MOVEMENT_TYPES[type];
  return countsDaily ? sideRefusal(payer, 'daily_limit', shortfall) : sideRefusal(payee, 'ceiling', shortfall);
}

/** For a side that does not define its own. */
const DEFAULT_REFUSALS = {
  ...WALLET_REFUSALS,
  card_blocked: () => cardBlocked(),
} satisfies Record<AccountReason, (shortfall: Shortfall) => Refusal>;
