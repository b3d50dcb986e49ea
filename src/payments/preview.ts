// Payments under an approval policy: the requester's total of the day, and a preview of a payment that was only checked.
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Movement, Refused } from '../ledger/types.ts';
import { type Executed, type PaymentPlan, type Preview, type Receipt, receiptOf } from './plan.ts';

/** The total is the last allowance: a refund's terms depend on the first one. */
export function withApprovalTotal(plan: PaymentPlan): PaymentPlan {
  const total = plan.approval?.total;
  return total ? { ...plan, allowances: [...(plan.allowances ?? []), total] } : plan;
}

/** The result of a payment that was only checked, and that would be posted. */
export function checkedResult(plan: PaymentPlan, movement: Movement, { balances = [] }: Refused): Executed {
  return { json: '', replayed: false, preview: previewOf(plan, movement, balances) };
}

/** `balances`: of the legs' accounts, before the payment. */
function previewOf(plan: PaymentPlan, movement: Movement, balances: readonly number[]): Preview {
  const after = receiptAfter(movement, balances);
  const [payer = 0, payee = 0] = balances;
  const reply = plan.onPosted(after).reply as Record<string, unknown>;
  const unchanged = plan.onPosted({ ...after, payerBalance: payer, payeeBalance: payee }).reply;
  const differing = Object.entries(unchanged).filter(([name, value]) => reply[name] !== value);
  return {
    amount: plan.amount,
    fee: after.payerFee,
    before: Object.fromEntries(differing),
    after: Object.fromEntries(differing.map(([name]) => [name, reply[name]])),
    subscriberId: subscriberOf(plan),
    parties: [plan.payer.accountId, plan.payee.accountId],
  };
}

function subscriberOf({ payer, payee }: PaymentPlan): string | null {
  return [payer, payee].find(({ kind }) => kind === 'wallet')?.accountId ?? null;
}

/** The approval is for the wallet that was shown to the approver. */
export function otherWalletRefusal(plan: PaymentPlan): Refusal | null {
  const approved = plan.approval?.subscriberId;
  if (approved === undefined || approved === subscriberOf(plan)) return null;
  return refuse('RECORD_CHANGED', "The request now names another subscriber's wallet: request the payment again.");
}

function receiptAfter(movement: Movement, balances: readonly number[]): Receipt {
  const postings = movement.legs.map(({ accountId, amount, fee = 0 }, index) => {
    return { accountId, seq: 0, amount, fee, balanceAfter: (balances[index] ?? 0) + amount };
  });
  return receiptOf(movement, { outcome: 'posted', at: 0, postings, used: [] });
}
