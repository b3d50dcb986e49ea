// An agent as the database keeps it, and as the wire shows it.
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { AgentRow } from '../../parties/agent.ts';

export const TYPES = ['super_agent', 'sub_agent'] as const;
export const STATUSES = ['active', 'suspended', 'terminated'] as const;
export const COMMISSION_TIERS = ['standard', 'premium', 'custom'] as const;
export const SETTLEMENT_MODES = ['instant', 'daily', 'weekly'] as const;

/** The record with what its float holds and how many sub-agents it has. */
export interface Agent extends AgentRow {
  float_balance: number;
  sub_agent_count: number;
}

/** A super-agent has sub-agents, a sub-agent has a parent; why an agent is suspended is for the file, not for the wire. */
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

/** What the reply to a registration says of it. */
export function newRecordOf({ id, type, business_name, status, parent_agent_id, created_at }: AgentRow) {
  return { id, type, business_name, status, parent_agent_id, created_at: iso(created_at) };
}
