// Settles commission: one movement per agent and period, from the commission account into the float.
//
// Every gateway tries it. The idempotency key of agent and period makes it happen once, and the running total of what was
// settled refuses an amount that was computed before another settlement.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { commissionAccountOf } from '../../../ledger/commission-accounts.ts';
import type { MovementActor } from '../../../ledger/types.ts';
import type { VelocityCheck } from '../../../ledger/velocity/rules.ts';
import { agentSide } from '../../../parties/agent.ts';
import type { Policy } from '../../../payments/execute.ts';
import { type Executed, idempotencyKey, movementActor, type PaymentPlan } from '../../../payments/plan.ts';
import type { CommissionDependencies } from './context.ts';
import { endedPeriod } from './periods.ts';
import { dueAfter, heldBy, requestIdOf, SCOPE, settledOf } from './store.ts';

const TYPE = 'commission_settlement';
/** Agents per statement, and settlements that are posted together. */
const PAGE_SIZE = 200;
const SYSTEM_ACTOR: MovementActor = { type: 'system', id: SCOPE };

interface Settlement {
  agentId: string;
  period: string;
  amount: number;
  /** Settled before. */
  settled: number;
  actor: MovementActor;
  /** For a settlement before a termination, which goes into a suspended agent's float too. */
  author?: Actor;
}

export function createSettlement({ database, payments, audit, clock }: CommissionDependencies, pageSize = PAGE_SIZE) {
  async function post(settlement: Settlement, policy: Policy): Promise<Executed | Refusal> {
    return payments.execute(planOf(settlement, audit), policy);
  }

  return {
    /** Settles what is due for all active agents; returns the number of settlements that were posted. */
    async settleDue(stopping?: AbortSignal): Promise<number> {
      const now = clock.now();
      const periods = { day: endedPeriod('day', now), week: endedPeriod('week', now), now };
      const policy = unchecked(await payments.policy(TYPE));
      let [posted, after] = [0, ''];
      while (!stopping?.aborted) {
        const page = await dueAfter(database.pool, after, pageSize, periods);
        const due = page.filter(({ amount }) => amount > 0);
        const results = await Promise.all(
          due.map(({ agentId, weekly, amount, settled }) => {
            const period = (weekly ? periods.week : periods.day).name;
            return post({ agentId, period, amount, settled, actor: SYSTEM_ACTOR }, policy);
          }),
        );
        // After a refusal (the agent was suspended, or another gateway settled first) the next run tries again.
        posted += results.filter((result) => !(result instanceof Refusal) && !result.replayed).length;
        const last = page.at(-1);
        if (!last || page.length < pageSize) break;
        after = last.agentId;
      }
      return posted;
    },

    /** Settles everything that the agent accrued, before it is terminated. */
    async settleFinally(actor: Actor, agentId: string): Promise<void> {
      const policy = unchecked(await payments.policy(TYPE));
      const { balance: amount, settled } = await heldBy(database.pool, agentId, clock.now());
      if (amount === 0) return;
      // The total settled before makes the name unique, should the agent be reactivated and earn again.
      const period = `final-${settled}`;
      await post({ agentId, period, amount, settled, actor: movementActor(actor), author: actor }, policy);
    },
  };
}

/** Keeps activity windows, but applies no rule: the payments that earned the commission were checked. */
function unchecked({ rules, ...policy }: Policy): Policy {
  if (!rules) return { ...policy, rules };
  const kept: VelocityCheck = { ...rules, rules: [] };
  if (rules.payee) kept.payee = { ...rules.payee, rules: [] };
  return { ...policy, rules: kept };
}

function planOf({ agentId, period, amount, settled, actor, author }: Settlement, audit: AuditLog): PaymentPlan {
  const [payer, payee] = [commissionAccountOf(agentId), agentId];
  const total = { id: settledOf(agentId), limit: settled + amount, refusal: settledMeanwhile };
  return {
    type: TYPE,
    actor,
    payer: { accountId: payer, kind: 'agent_commission', party: 'agent' },
    payee: { ...agentSide({ id: agentId }), ...(author ? { exempt: { frozen: true } } : {}) },
    amount,
    // Without the amount: gateways that compute different amounts make the same request.
    key: idempotencyKey(TYPE, SCOPE, requestIdOf(agentId, period), [agentId, period]),
    reference: period,
    allowances: [total],
    onPosted: (receipt) => ({
      reply: { transaction_id: receipt.transactionId, agent_id: agentId, period, amount },
      rows: author
        ? [
            audit.paymentRow(
              { actor: author, action: 'agent.settle_commission', payer, payee, reference: period },
              receipt,
            ),
          ]
        : [],
    }),
  };
}

function settledMeanwhile(): Refusal {
  return refuse('REQUEST_CONFLICT', "This agent's commission has just been settled by another request.");
}
