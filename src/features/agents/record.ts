// The agent record and its API representation.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { AgentRow } from '../../parties/agent.ts';

export const TYPES = ['super_agent', 'sub_agent'] as const;
export const STATUSES = ['active', 'suspended', 'terminated'] as const;
export const COMMISSION_TIERS = ['standard', 'premium', 'custom'] as const;
export const SETTLEMENT_MODES = ['instant', 'daily', 'weekly'] as const;

/** The stored record with its float balance and its number of sub-agents. */
export interface Agent extends AgentRow {
  float_balance: number;
  sub_agent_count: number;
}

/** Omits the reason of a suspension, which is internal. */
export function recordOf(agent: Agent) {
  return {
    id: agent.id,
    type: agent.type,
    business_name: agent.business_name,
    first_name: agent.first_name,
    last_name: agent.last_name,
    phone_number: agent.phone_number,
    email: agent.email,
    location: agent.location,
    commission_tier: agent.commission_tier,
    settlement_mode: agent.settlement_mode,
    status: agent.status,
    float_balance_formatted: formatMoney(agent.float_balance),
    ...(agent.type === 'super_agent'
      ? { sub_agent_count: agent.sub_agent_count }
      : { parent_agent_id: agent.parent_agent_id }),
    created_at: iso(agent.created_at),
  };
}

/** The shorter record in the reply to a registration. */
export function newRecordOf({ id, type, business_name, status, parent_agent_id, created_at }: AgentRow) {
  return { id, type, business_name, status, parent_agent_id, created_at: iso(created_at) };
}
