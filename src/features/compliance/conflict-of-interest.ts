// Conflict of interest: users of an agent or processor cannot handle alerts about their own network or processor.
import type { Caller } from '../../auth/caller.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { AlertContext } from './context.ts';
import { type AlertParties, partiesOf } from './parties.ts';

/** The parties of an alert never change, so this check runs before its row is locked. */
export async function conflictRefusal(
  context: AlertContext,
  caller: Caller,
  alert: AlertParties,
): Promise<Refusal | null> {
  if (caller.kind !== 'user' || (caller.agentId === null && caller.processorId === null)) return null;
  const parties = await partiesOf(context, alert);
  const merchant = caller.processorId !== null && parties.includes(caller.processorId);
  const agent = caller.agentId !== null && (await isInNetworkOf(context, caller.agentId, parties));
  if (!merchant && !agent) return null;
  const subject = agent ? 'an agent of your own network' : 'your own processor';
  return refuse('FORBIDDEN', `The alert is about ${subject}: a user who does not act for it must review it.`);
}

/** A network is a super-agent and all its sub-agents. */
async function isInNetworkOf({ findAgent }: AlertContext, agentId: string, parties: string[]): Promise<boolean> {
  const [own, ...others] = await Promise.all([agentId, ...parties].map((id) => findAgent(id)));
  const root = own?.parent_agent_id ?? agentId;
  return others.some((agent) => agent && (agent.parent_agent_id ?? agent.id) === root);
}
