// Between the house's treasury and an agent's float: funded, and returned.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { auditRows } from '../../audit/payments.ts';
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentRow, agentSide, agentStatusRefusal, noSuchAgent } from '../../parties/agent.ts';
import type { Executed, Side } from '../../payments/execute.ts';
import { carryOut, type IntendedPayment, sameAmount } from '../../payments/pay.ts';
import { completed, narrationOf, requestOf, type Terms } from '../../payments/reply.ts';
import type { AgentContext } from './context.ts';
import type { fundBody } from './schemas.ts';

export type Funding = Static<typeof fundBody>;

/** What the two ways differ in. */
interface Way {
  type: string;
  action: string;
  message: string;
  payer(agent: AgentRow): Side;
  payee(agent: AgentRow): Side;
  statusRefusal(agent: AgentRow): Refusal | null;
  amountRefusal?(amount: number): Refusal | null;
}

export function funding({ findAgent, payments, treasuryAccount, fundMax, clock }: AgentContext) {
  const treasury: Side = { accountId: treasuryAccount, party: 'sender', refusals: TREASURY_REFUSALS };

  const fundingWay: Way = {
    type: 'agent_fund',
    action: 'agent.fund',
    message: 'The float was funded.',
    payer: () => treasury,
    payee: agentSide,
    statusRefusal: (agent) => agentStatusRefusal(agent),
    amountRefusal: (amount) => (amount > fundMax ? overMaximum(fundMax) : null),
  };

  /** Also from one that is suspended, which could not be terminated otherwise. */
  const returning: Way = {
    type: 'agent_return',
    action: 'agent.return_float',
    message: 'The float was returned.',
    payer: (agent) => ({ ...agentSide(agent), mayPass: { frozen: true } }),
    payee: () => treasury,
    statusRefusal: (agent) => (agent.status === 'terminated' ? agentStatusRefusal(agent) : null),
  };

  function payment(
    actor: Actor,
    way: Way,
    given: Funding,
    terms: Terms,
    agent: AgentRow,
    amount: number,
  ): IntendedPayment {
    const [payer, payee] = [way.payer(agent), way.payee(agent)];
    const audited = { actor, action: way.action, payer: payer.accountId, payee: payee.accountId };
    return {
      type: way.type,
      payer,
      payee,
      amount,
      countsDaily: false,
      narration: narrationOf(given.description),
      reply: (done) => ({
        ...completed(done, terms, way.message, payer === treasury ? done.payeeBalance : done.payerBalance),
        agent_id: agent.id,
      }),
      beside: (done) => auditRows(audited, done, clock),
    };
  }

  function request(actor: Actor, agentId: string, { description }: Funding, terms: Terms) {
    return requestOf(actor, terms, [agentId, sameAmount(terms.amount), narrationOf(description)]);
  }

  function move(way: Way) {
    return async (actor: Actor, agentId: string, given: Funding, terms: Terms): Promise<Executed | Refusal> =>
      carryOut(payments, {
        type: way.type,
        request: request(actor, agentId, given, terms),
        amount: terms.amount,
        find: async () => (await findAgent(agentId)) ?? noSuchAgent(),
        statusRefusal: way.statusRefusal,
        ...(way.amountRefusal ? { amountRefusal: way.amountRefusal } : {}),
        payment: (agent, amount) => payment(actor, way, given, terms, agent, amount),
      });
  }

  return { fund: move(fundingWay), returnFloat: move(returning) };
}

function overMaximum(fundMax: number): Refusal {
  return refuse('AMOUNT_OUT_OF_RANGE', `amount must be at most ${formatMoney(fundMax)} in one funding.`);
}

const TREASURY_REFUSALS = {
  floor: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount is more than the books of the treasury can hold.'),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The amount is more than the books of the treasury can hold.'),
};
