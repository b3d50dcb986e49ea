// Turns a planned payment into a movement: prices it, and makes legs that sum to zero.
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { NO_ACCOUNT } from '../ledger/account-kinds.ts';
import type { Accrued } from '../ledger/commission-accounts.ts';
import { endedHold } from '../ledger/holds/lookup.ts';
import { drawsOf, isDrawn } from '../ledger/holds/tables.ts';
import { MOVEMENT_TYPES } from '../ledger/movement-types.ts';
import type { AllowanceUse, DecidedTerms, Leg, Movement } from '../ledger/types.ts';
import type { VelocityCheck } from '../ledger/velocity/rules.ts';
import { type CommissionTiers, percentsOf } from './commission.ts';
import { type Earned, type FeeSetting, NO_COMMISSION, type PaymentFees, paymentFees, withEarned } from './fees.ts';
import type { HoldTerms, PaymentPlan, Side } from './plan.ts';

/** What prices a payment. */
export interface Prices {
  fees: readonly FeeSetting[];
  /** Null for types on which no agent earns, now or when a deposit is withdrawn. */
  tiers: CommissionTiers | null;
}

/** The fee settings, commission tiers and compliance rules in force. */
export interface Policy extends Prices {
  rules: VelocityCheck | null;
}

type BalanceOf = (accountId: string) => number;

const NO_DETAILS = {};

/** The part of a plan that decides its price. */
export type PricedPlan = Pick<
  PaymentPlan,
  | 'type'
  | 'pricedAs'
  | 'payer'
  | 'payee'
  | 'amount'
  | 'details'
  | 'allowances'
  | 'commissionReturned'
  | 'captures'
  | 'draws'
>;

/** Prices the payment. A refund's terms depend on what was refunded before, and on balances. */
export function pricedTerms(plan: PricedPlan, { fees, tiers }: Prices, feeAccount: string) {
  const { type, pricedAs = type, amount, payer, payee } = plan;
  const percents = percentsOf(tiers, payer.commission, payee.commission);
  const priced = paymentFees(fees, { type: pricedAs, payer: payer.party, payee: payee.party, amount, percents });
  return (usedBefore = 0, balanceOf: BalanceOf = NOTHING_HELD): DecidedTerms =>
    termsOf(plan, priced, plan.commissionReturned?.(usedBefore) ?? NO_COMMISSION, feeAccount, balanceOf);
}

export function movementOf(plan: PaymentPlan, prices: Prices, feeAccount: string, clock: Clock): Movement {
  const { type, amount, key, payer, payee } = plan;
  const termsAt = pricedTerms(plan, prices, feeAccount);
  const { legs: priced, fee, details } = termsAt();
  const legs = legsOf(plan, priced, feeAccount);
  return {
    id: newId('txn', clock),
    type,
    actor: plan.actor,
    fromAccount: payer.accountId,
    toAccount: payee.accountId,
    amount,
    fee,
    legs,
    request: key,
    reference: plan.reference ?? null,
    narration: plan.narration ?? null,
    metadata: plan.metadata ?? null,
    relatedId: plan.relatedId ?? null,
    details,
    ...totalsOf(plan, legs),
    ...(plan.validUntil ? { validUntil: plan.validUntil.at } : {}),
    ...(plan.hold ? { opensHold: openedHold(plan.hold, legs) } : {}),
    ...(plan.captures ? { endsHold: endedHold(plan.captures, amount) } : {}),
    ...(plan.replaces ? { endsHold: endedHold(plan.replaces, 0) } : {}),
    ...(plan.commissionReturned ? { termsAt } : {}),
    ...(plan.onRefused ? { storesRefusal: true } : {}),
    ...(plan.approval?.checkOnly ? { checkOnly: true } : {}),
  };
}

const NOTHING_HELD: BalanceOf = () => 0;

function legsOf(plan: PaymentPlan, legs: readonly Leg[], feeAccount: string): readonly Leg[] {
  // Who is paid, and so what the others get, is known when the hold is captured.
  if (plan.payee.accountId === NO_ACCOUNT) return legs.slice(0, 1).map((leg) => reservingLeg(leg, plan));
  return plan.commissionReturned ? withPossibleLegs(legs, plan, feeAccount) : legs;
}

function reservingLeg(leg: Leg, { hold, amount }: PaymentPlan): Leg {
  const { reserved } = hold ?? {};
  return reserved === undefined ? leg : { ...leg, amount: -reserved, fee: reserved - amount };
}

function openedHold({ purpose }: HoldTerms, [payer]: readonly Leg[]) {
  const reserved = -(payer?.amount ?? 0);
  return isDrawn(purpose) ? ({ reserved, countsWhenDrawn: true } as const) : { reserved };
}

/** The running totals that it uses, and the hold that it draws from. */
function totalsOf({ allowances, draws, amount }: PaymentPlan, [payer]: readonly Leg[]): Partial<Movement> {
  const used = allowances?.map(({ id, limit, use = amount }): AllowanceUse => ({ id, limit, amount: use }));
  if (!draws) return used ? { allowances: used } : {};
  const draw = { id: drawsOf(draws.id), amount: -(payer?.amount ?? 0), limit: draws.reserved };
  return {
    allowances: [...(used ?? []), draw],
    drawsFrom: { holdId: draws.id, accountId: draws.account_id },
  };
}

/** The ledger locks the accounts of the legs before it knows whether any commission goes back, and from where. */
function withPossibleLegs(legs: readonly Leg[], { payer, payee }: PaymentPlan, feeAccount: string): readonly Leg[] {
  const possible = [feeAccount, payer.commission?.account, payee.commission?.account];
  const missing = possible.filter((id) => id != null && !legs.some(({ accountId }) => accountId === id));
  return [...legs, ...missing.map((accountId) => ({ accountId: accountId as string, amount: 0 }))];
}

/** Legs, fee and details, with the commission that a refund takes back as a fee. */
function termsOf(
  plan: PricedPlan,
  fees: PaymentFees,
  returned: Earned,
  feeAccount: string,
  balanceOf: BalanceOf,
): DecidedTerms {
  const { amount, payer, payee } = plan;
  const [ofPayer, ofPayee] = [
    accrualOf(payer, fees.payer.earned, returned.payer, balanceOf),
    accrualOf(payee, fees.payee.earned, returned.payee, balanceOf),
  ];
  const payerFee = fees.payer.charged + returned.payer - taken(ofPayer);
  const payeeFee = fees.payee.charged + returned.payee - taken(ofPayee);
  const legs: Leg[] = [
    legOf(payer, -amount - payerFee + fees.payer.earned - credited(ofPayer), payerFee),
    legOf(payee, amount - payeeFee + fees.payee.earned - credited(ofPayee), payeeFee),
  ];
  // A capture was counted when the hold was made.
  if (MOVEMENT_TYPES[plan.type].countsDaily && legs[0] && !plan.captures) legs[0].dailyUse = amount;
  const fee = payerFee + payeeFee + taken(ofPayer) + taken(ofPayee);
  const income = fee - fees.payer.earned - fees.payee.earned;
  if (income !== 0) legs.push({ accountId: feeAccount, amount: income });
  if (ofPayer !== 0) legs.push(accrualLeg(payer, ofPayer));
  if (ofPayee !== 0) legs.push(accrualLeg(payee, ofPayee));
  const earned = { payer: fees.payer.earned, payee: fees.payee.earned };
  return { legs, fee, details: withAccrued(withEarned(detailsOf(plan), earned), { payer: ofPayer, payee: ofPayee }) };
}

/** The change of the side's commission account: what it earns, or what goes back and the account holds. */
function accrualOf({ commission }: Side, earned: number, returned: number, balanceOf: BalanceOf): number {
  const account = commission?.account;
  if (account == null) return 0;
  return earned - Math.min(returned, Math.max(0, balanceOf(account)));
}

const credited = (accrual: number) => Math.max(0, accrual);
const taken = (accrual: number) => Math.max(0, -accrual);

function accrualLeg({ commission }: Side, accrual: number): Leg {
  const accountId = commission?.account as string;
  return { accountId, kind: 'agent_commission', amount: accrual, fee: taken(accrual) };
}

function withAccrued(details: Record<string, unknown>, accrued: Accrued): Record<string, unknown> {
  return accrued.payer === 0 && accrued.payee === 0 ? details : { ...details, accrued };
}

/** The movement names the running totals that it counts for and the hold it draws from, so that they can be recomputed. */
function detailsOf({ details = NO_DETAILS, allowances, draws }: PricedPlan): Record<string, unknown> {
  const drawing = draws ? { ...details, draws_from: draws.id } : details;
  return allowances ? { ...drawing, allowances: allowances.map(({ id }) => id) } : drawing;
}

function legOf({ accountId, kind, card, exempt, retryWhenFrozen }: Side, amount: number, fee: number): Leg {
  const leg: Leg = { accountId, kind, amount, fee };
  if (card !== undefined) leg.card = card;
  if (exempt?.frozen) leg.ignoresFrozen = true;
  if (exempt?.ceiling) leg.ignoresCeiling = true;
  if (exempt?.floor) leg.ignoresFloor = true;
  if (retryWhenFrozen) leg.retryWhenFrozen = true;
  return leg;
}
