// Cash from an agent: the wallet pays the agent's float, the agent hands out notes.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { pinFormRefusal } from '../../auth/pin-refusals.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Executed, Payment } from '../../movements/execute.ts';
import { carryOut, sameAmount } from './carry-out.ts';
import { holderRefusal, noSuchSubscriber, type WalletParts } from './parts.ts';
import { holderPinRefusal } from './pin.ts';
import { auditRows, completed, narrationOf, requestOf, type Terms } from './reply.ts';
import type { withdrawBody } from './schemas.ts';
import type { Holder } from './store.ts';

export type Withdrawal = Static<typeof withdrawBody>;

const TYPE = 'wallet_withdraw';

export function withdrawals({ holders, books, pins, movements, clock }: WalletParts) {
  async function find({ subscriber_id, agent_id }: Withdrawal): Promise<Holder | Refusal> {
    const [holder, agentFloat] = await Promise.all([holders.byId(subscriber_id), floatOf(agent_id)]);
    if (!holder) return noSuchSubscriber();
    return agentFloat ? holder : noSuchAgent();
  }

  /** An account has its owner's id: only what is named like an agent's may be one. */
  async function floatOf(agentId: string) {
    return agentId.startsWith('agent_') ? books.figures(agentId) : null;
  }

  function payment(actor: Actor, given: Withdrawal, terms: Terms, holder: Holder, amount: number): Payment {
    const audited = { actor, action: 'wallet.withdraw', payer: holder.id, payee: given.agent_id };
    return {
      type: TYPE,
      payer: { accountId: holder.id, party: 'sender' },
      payee: { accountId: given.agent_id, party: 'agent', refusals: AGENT_REFUSALS },
      amount,
      countsDaily: true,
      request: request(actor, given, terms),
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
      return carryOut(movements, {
        type: TYPE,
        request: request(actor, given, terms),
        amount: terms.amount,
        find: () => find(given),
        statusRefusal: (holder) => holderRefusal(holder, TYPE, 'subscriber'),
        pinRefusal: (holder) => holderPinRefusal(pins, holder.id, given.pin),
        payment: (holder, amount) => payment(actor, given, terms, holder, amount),
      });
    },
  };
}

function noSuchAgent(): Refusal {
  return refuse('NOT_FOUND', 'There is no such agent.');
}

const AGENT_REFUSALS = {
  account_missing: noSuchAgent,
  account_frozen: () => refuse('FORBIDDEN', 'The agent is not active.'),
};
