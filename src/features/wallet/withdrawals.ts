// Cash from an agent: the wallet pays the agent's float, the agent hands out notes.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { type AgentRow, agentSide, agentStatusRefusal, noSuchAgent } from '../../parties/agent.ts';
import { type Holder, holderStatusRefusal, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { Executed } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { WalletContext } from './context.ts';
import { holderPinRefusal } from './pin.ts';
import type { withdrawBody } from './schemas.ts';

export type Withdrawal = Static<typeof withdrawBody>;

const TYPE = 'wallet_withdraw';

interface Found {
  holder: Holder;
  agent: AgentRow;
}

export function withdrawals({ holders, findAgent, pins, payments, pep, clock }: WalletContext) {
  async function find(actor: Actor, { subscriber_id, agent_id }: Withdrawal): Promise<Found | Refusal> {
    const [holder, agent, withheld] = await Promise.all([
      holders.byId(subscriber_id),
      findAgent(agent_id),
      pep.staffRefusal(actor, subscriber_id, 'payment'),
    ]);
    if (!holder) return noSuchSubscriber();
    if (withheld) return withheld;
    return agent ? { holder, agent } : noSuchAgent();
  }

  function payment(
    actor: Actor,
    given: Withdrawal,
    terms: Terms,
    { holder, agent }: Found,
    amount: number,
  ): IntendedPayment {
    const audited = { actor, action: 'wallet.withdraw', payer: holder.id, payee: agent.id };
    return {
      type: TYPE,
      payer: { accountId: holder.id, party: 'sender' },
      payee: agentSide(agent),
      amount,
      countsDaily: true,
      narration: narrationOf(given.description),
      reply: (done) => completed(done, terms, 'The withdrawal was completed.', done.payerBalance),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, { subscriber_id, agent_id, description }: Withdrawal, terms: Terms) {
    return requestOf(actor, terms, [subscriber_id, agent_id, sameAmount(terms.amount), narrationOf(description)]);
  }

  return {
    async withdraw(actor: Actor, given: Withdrawal, terms: Terms): Promise<Executed | Refusal> {
      const refusal = pinFormRefusal(given.pin);
      if (refusal) return refusal;
      const attempt = pins.attempt(actor.caller, given.subscriber_id);
      return carryOut(payments, {
        type: TYPE,
        request: request(actor, given, terms),
        amount: terms.amount,
        find: () => find(actor, given),
        statusRefusal: ({ holder, agent }) =>
          holderStatusRefusal(holder, TYPE, 'subscriber') ?? agentStatusRefusal(agent),
        pinRefusal: () => holderPinRefusal(attempt.verify(given.pin)),
        payment: (found, amount) => payment(actor, given, terms, found, amount),
      });
    },
  };
}
