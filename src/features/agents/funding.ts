// Moves money between the operator's treasury and an agent's float: funding, and returning float.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { formatMoney } from '../../kernel/money.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentRow, agentSide, agentStatusRefusal, noSuchAgent } from '../../parties/agent.ts';
import { type Allowance, completedReply, OPERATOR, type PaymentOptions, type Side } from '../../payments/plan.ts';
import { runPayment } from '../../payments/run-payment.ts';
import { issuedToday, treasurySide } from '../../payments/treasury.ts';
import { bookItem } from '../finance/reconciliation/service.ts';
import type { AgentContext } from './context.ts';
import type { fundBody } from './schemas.ts';

export type Funding = Static<typeof fundBody>;

/** What differs between funding and returning float. */
interface Direction {
  type: 'agent_fund' | 'agent_return';
  action: string;
  message: string;
  statusRefusal(agent: AgentRow): Refusal | null;
  maxAmount: number;
  allowances?: () => readonly Allowance[];
  sides(agent: AgentRow): { payer: Side; payee: Side };
}

export function createFunding(context: AgentContext) {
  const { findAgent, payments, treasuryAccount, fundMax, treasuryDailyLimit, audit, clock } = context;
  const treasury = treasurySide(treasuryAccount);
  const issued = issuedToday(treasuryDailyLimit, clock);

  const toFloat: Direction = {
    type: 'agent_fund',
    action: 'agent.fund',
    message: 'The float was funded.',
    statusRefusal: (agent) => agentStatusRefusal(agent),
    maxAmount: fundMax,
    allowances: () => [issued()],
    sides: (agent) => ({ payer: treasury, payee: agentSide(agent) }),
  };

  /** Also allowed for suspended agents, because only an agent without float can be terminated. */
  const toTreasury: Direction = {
    type: 'agent_return',
    action: 'agent.return_float',
    message: 'The float was returned.',
    statusRefusal: (agent) => (agent.status === 'terminated' ? agentStatusRefusal(agent) : null),
    maxAmount: Number.MAX_SAFE_INTEGER,
    sides: (agent) => ({ payer: { ...agentSide(agent), exempt: { frozen: true } }, payee: treasury }),
  };

  function move(direction: Direction, actor: Actor, agentId: string, body: Funding, options: PaymentOptions) {
    const { type, action, message, statusRefusal, maxAmount, allowances, sides } = direction;
    return runPayment(payments, {
      type,
      actor,
      options,
      request: { party: OPERATOR, details: [agentId] },
      description: body.description,
      mayAct: () => null,
      find: async () => (await findAgent(agentId)) ?? noSuchAgent(),
      about: () => [agentId],
      refusal: statusRefusal,
      plan(agent, amount) {
        if (amount > maxAmount) return overMaximum(maxAmount);
        const { payer, payee } = sides(agent);
        const audited = { actor, action, payer: payer.accountId, payee: payee.accountId };
        return {
          payer,
          payee,
          ...(allowances ? { allowances: allowances() } : {}),
          reply: (receipt) => {
            const float = payer === treasury ? receipt.payeeBalance : receipt.payerBalance;
            return { ...completedReply(receipt, options.requestId, message, float), agent_id: agent.id };
          },
          rows: (receipt) => [audit.paymentRow(audited, receipt), bookItem(type, receipt)],
        };
      },
    });
  }

  return {
    fund: (actor: Actor, agentId: string, body: Funding, options: PaymentOptions) =>
      move(toFloat, actor, agentId, body, options),
    returnFloat: (actor: Actor, agentId: string, body: Funding, options: PaymentOptions) =>
      move(toTreasury, actor, agentId, body, options),
  };
}

function overMaximum(maxAmount: number): Refusal {
  return refuse('AMOUNT_OUT_OF_RANGE', `amount must be at most ${formatMoney(maxAmount)} in one funding.`);
}
