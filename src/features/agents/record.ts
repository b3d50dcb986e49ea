// The agent record and its API representation.
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import type { LockReason } from '../../auth/pins/attempts.ts';
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import { percentageOf } from '../../kernel/percentage.ts';
import type { AgentRow } from '../../parties/agent.ts';

export const TYPES = ['super_agent', 'sub_agent'] as const;
export const STATUSES = ['active', 'suspended', 'terminated'] as const;
export const COMMISSION_TIERS = ['standard', 'premium', 'custom'] as const;
export const SETTLEMENT_MODES = ['instant', 'daily', 'weekly'] as const;

/** The stored record with its float balance, its number of sub-agents, and the lock and the reset of its PIN. */
export interface Agent extends AgentRow {
  float_balance: number;
  sub_agent_count: number;
  /** Null if the PIN is not locked. */
  pin_locked_until: Date | null;
  pin_lock_reason: LockReason | null;
  /** Until when a new PIN can be set with the code that was sent; null without one. */
  pin_reset_code_until: Date | null;
  /** Until when outgoing payments are reduced after a PIN reset; null if they are not. */
  reduced_until: Date | null;
}

/** The fields that every caller with access to the record sees. */
function recordOf(agent: Agent) {
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
    ...(agent.commission_tier === 'custom' ? { commission_percent: percentOrNull(agent.commission_percent) } : {}),
    settlement_mode: agent.settlement_mode,
    status: agent.status,
    float_balance_formatted: formatMoney(agent.float_balance),
    ...(agent.type === 'super_agent'
      ? { sub_agent_count: agent.sub_agent_count }
      : { parent_agent_id: agent.parent_agent_id }),
    created_at: iso(agent.created_at),
  };
}

export function percentOrNull(units: number | null): number | null {
  return units === null ? null : percentageOf(units);
}

/** With the reason of a suspension or termination, for users who decide on agents, and with locks and resets of the PIN, for support. */
export function recordFor(caller: Caller, agent: Agent) {
  const seesPin = caller.kind === 'user' && isAllowed(caller, 'pins:locks');
  return {
    ...recordOf(agent),
    ...(seesReason(caller, agent) ? { status_reason: agent.status_reason } : {}),
    ...(seesPin ? pinFields(agent) : {}),
  };
}

function pinFields({ pin_locked_until, pin_lock_reason, pin_reset_code_until, reduced_until, pin_reset_floor }: Agent) {
  return {
    pin_locked_until: pin_locked_until && iso(pin_locked_until),
    pin_lock_reason,
    pin_reset_code_until: pin_reset_code_until && iso(pin_reset_code_until),
    outgoing_reduced_until: reduced_until && iso(reduced_until),
    reduced_floor: reduced_until && pin_reset_floor,
  };
}

/** A super-agent sees its own reasons about its sub-agents, not the operator's. */
function seesReason(caller: Caller, { parent_agent_id, held_by_house }: Agent): boolean {
  if (caller.kind !== 'user') return false;
  if (!isAgentUser(caller)) return isAllowed(caller, 'agents:reasons');
  return caller.role === 'super_agent' && parent_agent_id === caller.agentId && !held_by_house;
}

/** The shorter record in the reply to a registration. */
export function newRecordOf({ id, type, business_name, status, parent_agent_id, created_at }: AgentRow) {
  return { id, type, business_name, status, parent_agent_id, created_at: iso(created_at) };
}
