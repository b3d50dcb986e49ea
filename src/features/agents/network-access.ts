// Whose agents a caller may see, manage and pay from: staff and keys everybody's, agents' users their own.
import type { Caller, UserCaller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AgentRow } from '../../parties/agent.ts';

/** What the user of an agent may see. */
export interface Network {
  agentId: string;
  withSubAgents: boolean;
}

type AgentUser = UserCaller & { role: 'super_agent' | 'sub_agent' };
type Named = Pick<AgentRow, 'id' | 'parent_agent_id'>;

export function isAgentUser(caller: Caller): caller is AgentUser {
  return caller.kind === 'user' && (caller.role === 'super_agent' || caller.role === 'sub_agent');
}

/** Everybody: 'all'. Null: nobody, for a user who has an agent's role but belongs to no agent. */
export function networkOf(caller: Caller): Network | 'all' | null {
  if (!isAgentUser(caller)) return 'all';
  return caller.agentId === null ? null : { agentId: caller.agentId, withSubAgents: caller.role === 'super_agent' };
}

export function sightRefusal(caller: Caller, agent: Named): Refusal | null {
  if (!isAgentUser(caller) || isOwn(caller, agent) || isOwnSubAgent(caller, agent)) return null;
  return refuse('FORBIDDEN', 'The agent is not in your network.');
}

/** To be suspended, reactivated and terminated: a super-agent's sub-agents, not itself. */
export function managementRefusal(caller: Caller, agent: Named): Refusal | null {
  if (!isAgentUser(caller) || isOwnSubAgent(caller, agent)) return null;
  return refuse('FORBIDDEN', 'The agent is not a sub-agent of yours.');
}

/** To pay from it, or to change its PIN: each agent itself. */
export function ownRefusal(caller: Caller, agent: Named): Refusal | null {
  if (!isAgentUser(caller) || isOwn(caller, agent)) return null;
  return refuse('FORBIDDEN', 'You may do this as your own agent only.');
}

function isOwn({ agentId }: AgentUser, { id }: Named): boolean {
  return agentId === id;
}

function isOwnSubAgent({ role, agentId }: AgentUser, { parent_agent_id }: Named): boolean {
  return role === 'super_agent' && agentId !== null && agentId === parent_agent_id;
}
