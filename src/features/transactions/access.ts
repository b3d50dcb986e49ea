// Whose movements a caller may see. Agents, merchants and keys with an owner see only their own; others see all.
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentRow, noSuchAgent } from '../../parties/agent.ts';
import { type FundingPartner, noSuchPartner } from '../../parties/partner.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { noSuchProcessor, type PaidProcessor } from '../../parties/processor.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import type { HistoryRequest } from './selection.ts';

export interface AccessDependencies {
  holders: Holders;
  findAgent: Load<string, AgentRow | null>;
  findProcessor: Load<string, PaidProcessor | null>;
  findPartner: Load<string, FundingPartner | null>;
  pep: PepGuard;
}

type NamedAccounts = Pick<HistoryRequest, 'subscriber_id' | 'agent_id' | 'processor_id' | 'partner_id'>;

export function createAccess({ holders, findAgent, findProcessor, findPartner, pep }: AccessDependencies) {
  async function subscriber(actor: Actor, id: string): Promise<string | Refusal> {
    const holder = await holders.byId(id);
    if (!holder) return noSuchSubscriber();
    return (await pep.refusalOf(actor, holder.id, 'history')) ?? holder.id;
  }

  /**
   * The accounts that the filters name; empty means all accounts. Records are shown from the first account's side.
   * A subscriber comes first, because its history is short.
   */
  return async function accountsOf(actor: Actor, named: NamedAccounts): Promise<readonly string[] | Refusal> {
    const { subscriber_id, agent_id, processor_id, partner_id } = named;
    const own = ownAccountOf(actor.caller);
    if (own !== null) {
      const ids = [subscriber_id, agent_id, processor_id, partner_id].filter((id) => id !== undefined);
      return ids.every((id) => id === own) ? [own] : ownAccountRefusal(actor.caller);
    }
    const found = [
      subscriber_id === undefined ? null : await subscriber(actor, subscriber_id),
      agent_id === undefined ? null : (await findAgent(agent_id)) ? agent_id : noSuchAgent(),
      processor_id === undefined ? null : (await findProcessor(processor_id)) ? processor_id : noSuchProcessor(),
      partner_id === undefined ? null : (await findPartner(partner_id)) ? partner_id : noSuchPartner(),
    ].filter((account) => account !== null);
    const refusal = found.find((account) => account instanceof Refusal);
    return refusal ?? found.filter((account) => typeof account === 'string');
  };
}

/** The only account that a customer, an agent's or processor's user, or a key with an owner may see; null means any account. */
export function ownAccountOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.partnerId ?? caller.processorId;
  if (caller.kind === 'subscriber') return caller.id;
  if (caller.kind !== 'user' || !OWN_ACCOUNT_ONLY.includes(caller.role)) return null;
  return caller.agentId ?? caller.processorId ?? caller.id;
}

const OWN_ACCOUNT_ONLY = ['super_agent', 'sub_agent', 'processor'];

function ownAccountRefusal(caller: Caller): Refusal {
  const who = caller.kind === 'user' ? `The role ${caller.role}` : 'This API key';
  return refuse('FORBIDDEN', `${who} can see only its own account.`);
}
