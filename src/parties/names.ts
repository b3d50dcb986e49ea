// A movement's parties: their kind, their role, and their name as the caller may see it.
import type { Load } from '../db/batch-loader.ts';
import { shortName } from '../kernel/text.ts';
import type { AccountKind } from '../ledger/account-kinds.ts';
import { isMovementType, MOVEMENT_TYPES } from '../ledger/movement-types.ts';
import type { AgentRow } from './agent.ts';
import type { FundingPartner } from './partner.ts';
import type { PaidProcessor } from './processor.ts';
import type { Holders } from './subscriber.ts';

export interface NameDependencies {
  holders: Holders;
  findPartner: Load<string, FundingPartner | null>;
  findProcessor: Load<string, PaidProcessor | null>;
  findAgent: Load<string, AgentRow | null>;
  kindOf: Load<string, AccountKind | null>;
}

export interface PartyView {
  id: string;
  kind: AccountKind | null;
  /** The party of fee settings: sender, recipient, agent or processor. */
  role: string | null;
  name: string | null;
}

const SYSTEM_NAMES: Partial<Record<AccountKind, string>> = {
  agent_commission: "The agent's commission account",
  fee_income: "The operator's fee income",
  treasury: "The operator's treasury",
  suspense: "The operator's suspense account",
  payouts_in_transit: 'Pay-outs in transit to banks',
};

export type PartyViews = ReturnType<typeof createPartyViews>;

export function createPartyViews({ holders, findPartner, findProcessor, findAgent, kindOf }: NameDependencies) {
  async function holderName(id: string, full: boolean): Promise<string | null> {
    const holder = await holders.byId(id);
    if (!holder) return null;
    return full ? `${holder.first_name} ${holder.last_name}` : shortName(holder);
  }

  async function nameOf(id: string, kind: AccountKind | null, full: boolean): Promise<string | null> {
    switch (kind) {
      case 'wallet':
        return holderName(id, full);
      case 'partner_clearing':
        return (await findPartner(id))?.name ?? null;
      case 'processor':
        return (await findProcessor(id))?.business_name ?? null;
      case 'agent_float':
        return (await findAgent(id))?.business_name ?? null;
      default:
        return kind && (SYSTEM_NAMES[kind] ?? null);
    }
  }

  /** `full`: subscribers are named in full, not by first name and initial. */
  return async function partyView(id: string, role: string | null, full: boolean): Promise<PartyView> {
    const kind = await kindOf(id);
    return { id, kind, role, name: await nameOf(id, kind, full) };
  };
}

/** The roles of payer and payee; old movements may have a type that is no longer in the registry. */
export function rolesOf(type: string): readonly [payer: string | null, payee: string | null] {
  return isMovementType(type) ? MOVEMENT_TYPES[type].parties : [null, null];
}
