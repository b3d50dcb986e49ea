// Float from a super-agent to one of its own sub-agents.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentRow, agentSide, agentStatusRefusal, noSuchAgent } from '../../parties/agent.ts';
import type { Done, Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { AgentContext } from './context.ts';
import { ownRefusal } from './network-access.ts';
import { agentPinRefusal } from './pin-checks.ts';
import type { transferBody } from './schemas.ts';

export type FloatTransfer = Static<typeof transferBody>;

const TYPE = 'agent_transfer';

interface Found {
  from: AgentRow;
  to: AgentRow;
}

export function floatTransfers({ findAgent, pins, payments, clock }: AgentContext) {
  async function find({ caller }: Actor, { from_agent_id, to_agent_id }: FloatTransfer): Promise<Found | Refusal> {
    const [from, to] = await Promise.all([findAgent(from_agent_id), findAgent(to_agent_id)]);
    if (!from) return noSuchAgent('agent to transfer from');
    if (!to) return noSuchAgent('agent to transfer to');
    return ownRefusal(caller, from) ?? (to.parent_agent_id === from.id ? { from, to } : notItsSubAgent());
  }

  function payment(actor: Actor, given: FloatTransfer, { from, to }: Found, amount: number): IntendedPayment {
    const audited = { actor, action: 'agent.transfer', payer: from.id, payee: to.id };
    return {
      type: TYPE,
      payer: agentSide(from),
      payee: agentSide(to),
      amount,
      countsDaily: false,
      narration: narrationOf(given.description),
      reply: transferred,
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, { from_agent_id, to_agent_id, description }: FloatTransfer, terms: Terms) {
    return requestOf(actor, terms, [from_agent_id, to_agent_id, sameAmount(terms.amount), narrationOf(description)]);
  }

  return {
    async transfer(actor: Actor, given: FloatTransfer, terms: Terms): Promise<Executed | Refusal> {
      return (
        pinFormRefusal(given.pin) ??
        carryOut(payments, {
          type: TYPE,
          request: request(actor, given, terms),
          amount: terms.amount,
          find: () => find(actor, given),
          statusRefusal: ({ from, to }) =>
            agentStatusRefusal(from, 'agent to transfer from') ?? agentStatusRefusal(to, 'agent to transfer to'),
          pinRefusal: ({ from }) => agentPinRefusal(pins, actor, from.id, given.pin),
          payment: (found, amount) => payment(actor, given, found, amount),
        })
      );
    },
  };
}

/** The interface has every amount of this reply formatted. */
function transferred(done: Done) {
  return {
    success: true,
    message: 'The transfer was completed.',
    transaction_id: done.transactionId,
    amount: formatMoney(done.amount),
    from_balance: formatMoney(done.payerBalance),
    to_balance: formatMoney(done.payeeBalance),
  };
}

function notItsSubAgent(): Refusal {
  return refuse('FORBIDDEN', 'Float goes from a super-agent to its own sub-agents only.');
}
