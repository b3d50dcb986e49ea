// Suspends, reactivates and terminates agents, each decided on the locked row.
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { formatMoney } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { changeAccount, lockBalance } from '../../ledger/accounts.ts';
import { commissionAccountOf } from '../../ledger/commission-accounts.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import { type AgentContext, auditResource } from './context.ts';
import { managementRefusal } from './network-access.ts';
import { type AgentChange, lockAgent, updateAgent } from './store.ts';

interface StatusChange {
  action: string;
  details?: Record<string, unknown>;
  refusal(row: AgentRow): Refusal | null;
  /** Applies the side effects in the same transaction and returns the changes to the record. */
  apply(trx: DatabaseTransaction): Promise<AgentChange | Refusal>;
}

export function createStatusChanges({ database, audit, users, settleCommission, clock }: AgentContext) {
  function changeStatus(actor: Actor, id: string, { action, details = {}, refusal, apply }: StatusChange) {
    return database.transact(async (trx): Promise<AgentRow | Refusal> => {
      const row = await lockAgent(trx, id);
      if (!row) return noSuchAgent();
      const refused = managementRefusal(actor.caller, row) ?? operatorHoldRefusal(actor, row) ?? refusal(row);
      if (refused) return refused;
      const change = await apply(trx);
      if (change instanceof Refusal) return change;
      const changed = await updateAgent(trx, id, { ...change, updated_at: new Date(clock.now()) });
      await audit.record(trx, actor, { action, ...auditResource(id), details });
      return changed;
    });
  }

  return {
    /**
     * A suspended agent neither sends nor receives money, and its user cannot log in. The operator may take over a
     * suspension by a super-agent, which then only the operator can lift.
     */
    suspend(actor: Actor, id: string, body: { reason: string }): Promise<AgentRow | Refusal> {
      const reason = tidy(body.reason);
      const byOperator = !isAgentUser(actor.caller);
      return changeStatus(actor, id, {
        action: 'agent.suspend',
        details: { reason },
        refusal: (row) =>
          terminatedRefusal(row) ??
          (row.status === 'suspended' && (row.held_by_house || !byOperator) ? alreadySuspended() : null),
        async apply(trx) {
          await changeAccount(trx, id, { frozen: true });
          await users.suspendLogins(trx, { agent_id: id });
          return { status: 'suspended', status_reason: reason, held_by_house: byOperator };
        },
      });
    },

    reactivate: (actor: Actor, id: string): Promise<AgentRow | Refusal> =>
      changeStatus(actor, id, {
        action: 'agent.reactivate',
        refusal: (row) => terminatedRefusal(row) ?? (row.status === 'suspended' ? null : notSuspended()),
        async apply(trx) {
          await changeAccount(trx, id, { frozen: false });
          await users.restoreLogins(trx, { agent_id: id });
          return { status: 'active', status_reason: null, held_by_house: false };
        },
      }),

    /**
     * Final. The float and the commission account must be 0, read under their locks so that no concurrent payment can change
     * them. Commission that is left is settled into the float first, which must then be returned.
     */
    async terminate(actor: Actor, id: string, body: { reason?: string }): Promise<AgentRow | Refusal> {
      const reason = body.reason ? tidy(body.reason) : null;
      let holdsCommission = false;
      const attempt = () =>
        changeStatus(actor, id, {
          action: 'agent.terminate',
          details: { reason },
          refusal: terminatedRefusal,
          async apply(trx) {
            const float = await lockBalance(trx, id);
            const commission = await lockBalance(trx, commissionAccountOf(id));
            holdsCommission = float === 0 && commission !== 0;
            if (float !== 0 || commission !== 0) return floatNotEmpty(float || commission);
            await changeAccount(trx, id, { frozen: true });
            await users.endLogins(trx, { agent_id: id });
            return { status: 'terminated', status_reason: reason, held_by_house: false };
          },
        });
      const outcome = await attempt();
      if (!holdsCommission) return outcome;
      await settleCommission(actor, id);
      return attempt();
    },
  };
}

/** The user of a suspended agent is reactivated with the agent; the user of a terminated agent never. */
export function loginRefusal(agent: AgentRow | null): Refusal | null {
  switch (agent?.status) {
    case 'suspended':
      return refuse('AGENT_SUSPENDED', "This user's agent is suspended: reactivate the agent.", { status: 409 });
    case 'terminated':
      return refuse('AGENT_TERMINATED', "This user's agent is terminated.");
    default:
      return null;
  }
}

/** A super-agent can neither reactivate nor terminate an agent that the operator suspended. */
function operatorHoldRefusal({ caller }: Actor, { held_by_house }: AgentRow): Refusal | null {
  if (!isAgentUser(caller) || !held_by_house) return null;
  return refuse('FORBIDDEN', 'The operator suspended this agent: only the operator can reactivate or terminate it.');
}

export function terminatedRefusal({ status }: AgentRow): Refusal | null {
  return status === 'terminated' ? refuse('AGENT_TERMINATED', 'The agent is terminated. This is final.') : null;
}

function alreadySuspended(): Refusal {
  return refuse('ALREADY_SUSPENDED', 'The agent is already suspended.');
}

function notSuspended(): Refusal {
  return refuse('NOT_SUSPENDED', 'The agent is not suspended.');
}

function floatNotEmpty(balance: number): Refusal {
  return refuse('FLOAT_NOT_EMPTY', `The float still holds ${formatMoney(balance)}.`, { details: { balance } });
}
