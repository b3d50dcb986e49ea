// Suspends, reactivates and terminates: the moves between an agent's states, each on the locked row.
import type { Actor } from '../../audit/log.ts';
import type { Transact } from '../../db/database.ts';
import { formatMoney } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { changeAccount, lockBalance } from '../../ledger/accounts.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import { type AgentContext, about } from './context.ts';
import { isAgentUser, managementRefusal } from './network-access.ts';
import { type AgentChange, lockAgent, updateAgent } from './store.ts';

interface Move {
  action: string;
  details?: Record<string, unknown>;
  refusal(row: AgentRow): Refusal | null;
  /** What belongs to it in the same transaction; returns what changes in the record. */
  carryOut(trx: Transact): Promise<AgentChange | Refusal>;
}

export function states({ database, audit, users, clock }: AgentContext) {
  function move(actor: Actor, id: string, { action, details = {}, refusal, carryOut }: Move) {
    return database.transact(async (trx): Promise<AgentRow | Refusal> => {
      const row = await lockAgent(trx, id);
      if (!row) return noSuchAgent();
      const refused = managementRefusal(actor.caller, row) ?? heldRefusal(actor, row) ?? refusal(row);
      if (refused) return refused;
      const change = await carryOut(trx);
      if (change instanceof Refusal) return change;
      const changed = await updateAgent(trx, id, { ...change, updated_at: new Date(clock.now()) });
      await audit.record(trx, actor, { action, ...about(id), details });
      return changed;
    });
  }

  return {
    /** It moves and receives no money, and its user gets in no more. What a super-agent did, the house may make its own. */
    suspend(actor: Actor, id: string, given: { reason: string }): Promise<AgentRow | Refusal> {
      const reason = tidy(given.reason);
      const byHouse = !isAgentUser(actor.caller);
      return move(actor, id, {
        action: 'agent.suspend',
        details: { reason },
        refusal: (row) =>
          over(row) ?? (row.status === 'suspended' && (row.held_by_house || !byHouse) ? already() : null),
        async carryOut(trx) {
          await changeAccount(trx, id, { frozen: true });
          await users.suspendLogins(trx, { agent_id: id });
          return { status: 'suspended', status_reason: reason, held_by_house: byHouse };
        },
      });
    },

    reactivate: (actor: Actor, id: string): Promise<AgentRow | Refusal> =>
      move(actor, id, {
        action: 'agent.reactivate',
        refusal: (row) => over(row) ?? (row.status === 'suspended' ? null : notSuspended()),
        async carryOut(trx) {
          await changeAccount(trx, id, { frozen: false });
          await users.restoreLogins(trx, { agent_id: id });
          return { status: 'active', status_reason: null, held_by_house: false };
        },
      }),

    /** For good, and only when its float is 0: looked at while the account is locked, so that no payment slips in between. */
    terminate(actor: Actor, id: string, given: { reason?: string }): Promise<AgentRow | Refusal> {
      const reason = given.reason ? tidy(given.reason) : null;
      return move(actor, id, {
        action: 'agent.terminate',
        details: { reason },
        refusal: over,
        async carryOut(trx) {
          const balance = await lockBalance(trx, id);
          if (balance !== 0) return floatNotEmpty(balance);
          await changeAccount(trx, id, { frozen: true });
          await users.endLogins(trx, { agent_id: id });
          return { status: 'terminated', status_reason: reason, held_by_house: false };
        },
      });
    },
  };
}

/** A user of an agent that is suspended or terminated is let in again with the agent, or not at all. */
export function loginRefusal(agent: AgentRow | null): Refusal | null {
  switch (agent?.status) {
    case 'suspended':
      return refuse('AGENT_SUSPENDED', 'The agent of this user is suspended: reactivate the agent.', { status: 409 });
    case 'terminated':
      return refuse('AGENT_TERMINATED', 'The agent of this user is terminated.');
    default:
      return null;
  }
}

/** What the house suspended, its super-agent neither lifts nor ends. */
function heldRefusal({ caller }: Actor, { held_by_house }: AgentRow): Refusal | null {
  if (!isAgentUser(caller) || !held_by_house) return null;
  return refuse('FORBIDDEN', 'The agent was suspended by the house: only the house changes that.');
}

function over({ status }: AgentRow): Refusal | null {
  return status === 'terminated' ? refuse('AGENT_TERMINATED', 'The agent is terminated, which is final.') : null;
}

function already(): Refusal {
  return refuse('ALREADY_SUSPENDED', 'The agent is suspended already.');
}

function notSuspended(): Refusal {
  return refuse('NOT_SUSPENDED', 'The agent is not suspended.');
}

function floatNotEmpty(balance: number): Refusal {
  return refuse('FLOAT_NOT_EMPTY', `The float still holds ${formatMoney(balance)}.`, { details: { balance } });
}
