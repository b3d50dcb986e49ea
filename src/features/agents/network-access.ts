// Which agents a caller may see, manage and pay from: staff and API keys all, agents' users only their own network.
import { type AgentUser, type Caller, isAgentUser } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AgentRow } from '../../parties/agent.ts';

/** The agents that an agent's user may see. */
export interface Network {
  agentId: string;
  withSubAgents: boolean;
}

type Named = Pick<AgentRow, 'id' | 'parent_agent_id'>;

/** 'all' for callers without a restriction; null for a user with an agent role that belongs to no agent. */
export function networkOf(caller: Caller): Network | 'all' | null {
  if (!isAgentUser(caller)) return 'all';
  return caller.agentId === null ? null : { agentId: caller.agentId, withSubAgents: caller.role === 'super_agent' };
}

export function viewRefusal(caller: Caller, agent: Named): Refusal | null {
  if (!isAgentUser(caller) || isOwn(caller, agent) || isOwnSubAgent(caller, agent)) return null;
  return refuse('FORBIDDEN', 'The agent is not in your network.');
}

/** Suspending, reactivating and terminating: a super-agent manages its sub-agents, not itself. */
export function managementRefusal(caller: Caller, agent: Named): Refusal | null {
  if (!isAgentUser(caller) || isOwnSubAgent(caller, agent)) return null;
  return refuse('FORBIDDEN', 'The agent is not one of your sub-agents.');
}

function isOwn({ agentId }: AgentUser, { id }: Named): boolean {
  return agentId === id;
}

function isOwnSubAgent({ role, agentId }: AgentUser, { parent_agent_id }: Named): boolean {
  return role === 'super_agent' && agentId !== null && agentId === parent_agent_id;
}
