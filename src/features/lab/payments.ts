// Lets the ledger refuse payments with certain amounts: through an allowance of zero, so that the real path is taken.

import type { Payments } from '../../payments/execute.ts';
import type { Allowance, PaymentPlan } from '../../payments/plan.ts';
import { exceedsLimit, lacksMoney } from '../../payments/refusals.ts';
import { magicAmount } from './effects.ts';

export function withRefusedAmounts(payments: Payments): Payments {
  return {
    ...payments,
    execute: (plan, policy) => payments.execute(refusedByAmount(plan), policy),
    tryFastPath: ({ prepare, ...fast }) =>
      payments.tryFastPath({
        ...fast,
        prepare(rows) {
          const plan = prepare(rows);
          return plan && refusedByAmount(plan);
        },
      }),
  };
}

/** Only payments of API keys: those of staff and of the service itself are left alone. */
function refusedByAmount(plan: PaymentPlan): PaymentPlan {
  const effect = plan.actor.type === 'key' && !plan.captures ? magicAmount(plan.amount)?.effect : undefined;
  if (effect !== 'insufficient' && effect !== 'limit') return plan;
  const refusal = () => (effect === 'limit' ? exceedsLimit(plan) : lacksMoney(plan));
  const nothing: Allowance = { id: `lab:${effect}`, limit: 0, refusal };
  return { ...plan, allowances: [...(plan.allowances ?? []), nothing] };
}
