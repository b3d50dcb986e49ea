// From the house's treasury into an agent's float.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../movements/carry-out.ts';
import type { Executed } from '../../movements/execute.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../movements/reply.ts';
import type { AgentParts } from './parts.ts';
import type { AgentRow } from './record.ts';
import type { fundBody } from './schemas.ts';

export type Funding = Static<typeof fundBody>;

const TYPE = 'agent_fund';

export function funding({ floats, movements, treasuryAccount, clock }: AgentParts) {
  function payment(actor: Actor, given: Funding, terms: Terms, agent: AgentRow, amount: number): IntendedPayment {
    const audited = { actor, action: 'agent.fund', payer: treasuryAccount, payee: agent.id };
    return {
      type: TYPE,
      payer: { accountId: treasuryAccount, party: 'sender', refusals: TREASURY_REFUSALS },
      payee: floats.side(agent),
      amount,
      countsDaily: false,
      narration: narrationOf(given.description),
      reply: (done) => ({
        ...completed(done, terms, 'The float was funded.', done.payeeBalance),
        agent_id: agent.id,
      }),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, agentId: string, { description }: Funding, terms: Terms) {
    return requestOf(actor, terms, [agentId, sameAmount(terms.amount), narrationOf(description)]);
  }

  return {
    async fund(actor: Actor, agentId: string, given: Funding, terms: Terms): Promise<Executed | Refusal> {
      return (
        keyRefusal(actor.caller) ??
        carryOut(movements, {
          type: TYPE,
          request: request(actor, agentId, given, terms),
          amount: terms.amount,
          find: async () => (await floats.find(agentId)) ?? floats.missing(),
          statusRefusal: (agent) => floats.statusRefusal(agent),
          payment: (agent, amount) => payment(actor, given, terms, agent, amount),
        })
      );
    },
  };
}

/** The treasury is the house's: a key that was given to somebody else does not spend from it. */
function keyRefusal(caller: Caller): Refusal | null {
  if (caller.kind !== 'key' || (caller.partnerId === null && caller.processorId === null)) return null;
  return refuse('FORBIDDEN', 'This API key belongs to a partner or processor: it does not fund from the treasury.');
}

const TREASURY_REFUSALS = {
  floor: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount is more than the books of the treasury can hold.'),
};
