// Floats, for whoever moves money in or out of one: whose it is, whether it moves now, and what its refusals are called.
import type { Load } from '../../db/batch-loader.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Shortfall } from '../../ledger/types.ts';
import type { Side } from '../../payments/execute.ts';
import type { AgentRow } from './record.ts';
import { agentById } from './store.ts';

export interface Floats {
  /** Batched; null: there is no such agent. */
  find: Load<string, AgentRow | null>;
  missing(): Refusal;
  /** Why this agent moves no money now; the ledger asks again when it holds the account. */
  statusRefusal(agent: Pick<AgentRow, 'status'>, who?: string): Refusal | null;
  side(agent: Pick<AgentRow, 'id'>): Side;
}

export function createFloats(reader: Reader): Floats {
  return {
    find: agentById(reader),
    missing: noSuchAgent,
    statusRefusal,
    side: ({ id }) => ({ accountId: id, party: 'agent', refusals: LEDGER_REFUSALS }),
  };
}

export function noSuchAgent(): Refusal {
  return refuse('NOT_FOUND', 'There is no such agent.');
}

function statusRefusal({ status }: Pick<AgentRow, 'status'>, who = 'agent'): Refusal | null {
  switch (status) {
    case 'active':
      return null;
    case 'suspended':
      return refuse('AGENT_SUSPENDED', `The ${who} is suspended.`);
    case 'terminated':
      return refuse('AGENT_TERMINATED', `The ${who} is terminated.`, { status: 403 });
  }
}

const LEDGER_REFUSALS = {
  account_missing: noSuchAgent,
  account_frozen: () => refuse('AGENT_SUSPENDED', 'The agent is not active.'),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The float would be more than an account can hold.'),
  floor: ({ available, required }: Shortfall) =>
    refuse('INSUFFICIENT_FLOAT', 'The float does not cover the amount and its fee.', {
      details: { available, required },
    }),
};
