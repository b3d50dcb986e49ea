// Transfers float from a super-agent to one of its own sub-agents.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { agentSide, agentStatusRefusal, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { confirmedByPin } from '../../payments/pin-confirmation.ts';
import type { Executed, PaymentOptions, Receipt } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import type { AgentContext } from './context.ts';
import { agentPinRefusal } from './pin-checks.ts';
import type { transferBody } from './schemas.ts';

export type FloatTransfer = Static<typeof transferBody>;

const TYPE = 'agent_transfer';

export function createFloatTransfers({ findAgent, pins, payments, audit }: AgentContext) {
  return {
    transfer(actor: Actor, body: FloatTransfer, options: PaymentOptions): Promise<Executed | Refusal> {
      const { from_agent_id, to_agent_id, pin, description } = body;
      const notOwn = ownRefusal(actor.caller, { id: from_agent_id });
      return runPayment(payments, {
        type: TYPE,
        actor,
        options,
        request: { party: from_agent_id, details: [from_agent_id, to_agent_id] },
        description,
        ...confirmedByPin({
          formRefusal: pinFormRefusal(pin),
          refusal: async () => notOwn ?? ((await findAgent(from_agent_id)) ? null : noSuchAgent()),
          verify: () => agentPinRefusal(pins, actor, from_agent_id, pin),
        }),
        async find() {
          const [from, to] = await Promise.all([findAgent(from_agent_id), findAgent(to_agent_id)]);
          if (!from) return noSuchAgent('agent to transfer from');
          if (!to) return noSuchAgent('agent to transfer to');
          return notOwn ?? { from, to };
        },
        about: () => [from_agent_id],
        refusal: ({ from, to }) =>
          (to.parent_agent_id === from.id ? null : notItsSubAgent()) ??
          agentStatusRefusal(from, 'agent to transfer from') ??
          agentStatusRefusal(to, 'agent to transfer to'),
        plan: ({ from, to }) => ({
          payer: agentSide(from),
          payee: agentSide(to),
          reply: transferReply,
          rows: (receipt) =>
            audit.paymentRows({ actor, action: 'agent.transfer', payer: from.id, payee: to.id }, receipt),
        }),
      });
    },
  };
}

/** By API contract, this reply contains formatted amounts only. */
function transferReply(receipt: Receipt) {
  return {
    success: true,
    message: 'The transfer was completed.',
    transaction_id: receipt.transactionId,
    amount: formatMoney(receipt.amount),
    from_balance: formatMoney(receipt.payerBalance),
    to_balance: formatMoney(receipt.payeeBalance),
  };
}

function notItsSubAgent(): Refusal {
  return refuse('FORBIDDEN', 'A super-agent can transfer float only to its own sub-agents.');
}
