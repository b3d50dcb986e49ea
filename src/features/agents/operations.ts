// The agent operations that can need approval.
import { formatMoney } from '../../kernel/money.ts';
import { OPERATOR } from '../../payments/plan.ts';
import type { PaymentOperation } from '../approvals/service.ts';
import type { createFunding, Funding } from './funding.ts';

type FloatOperation = PaymentOperation<{ id: string }, Funding>;

export function createOperations({ fund, returnFloat }: ReturnType<typeof createFunding>) {
  const operations: Record<'fund' | 'returnFloat', FloatOperation> = {
    fund: {
      kind: 'payment',
      name: 'agents.fund',
      action: 'agents.fund',
      movementType: 'agent_fund',
      party: () => OPERATOR,
      describe: ({ params }, amount) => `Fund the float of agent ${params.id} with ${formatMoney(amount)}.`,
      execute: (actor, { params, body }, options) => fund(actor, params.id, body, options),
    },
    returnFloat: {
      kind: 'payment',
      name: 'agents.return_float',
      action: 'agents.return_float',
      movementType: 'agent_return',
      party: () => OPERATOR,
      describe: ({ params }, amount) => `Return ${formatMoney(amount)} from the float of agent ${params.id}.`,
      execute: (actor, { params, body }, options) => returnFloat(actor, params.id, body, options),
    },
  };
  return { operations };
}
