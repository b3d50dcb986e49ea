// Agents as parties to a payment: the batched look-up, their status, and the refusals about their floats.
import { type Caller, isAgentUser } from '../auth/caller.ts';
import type { Load } from '../db/batch-loader.ts';
import { bool, integerOrNull, text, textOrNull, timestamp, timestampOrNull } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { columnNames, type LookupColumns, lookup } from '../db/lookup.ts';
import type { Row } from '../db/schema/tables.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { NO_ACCOUNT } from '../ledger/account-kinds.ts';
import { commissionAccountOf } from '../ledger/commission-accounts.ts';
import type { Shortfall } from '../ledger/types.ts';
import type { PhoneChange } from './phone-change.ts';

/** Without the columns that only searches and PIN resets use. */
export type AgentRow = Omit<Row<'agents'>, 'search_text' | keyof PhoneChange>;

const COLUMNS = {
  id: text,
  type: text,
  parent_agent_id: textOrNull,
  business_name: text,
  first_name: text,
  last_name: text,
  phone_number: text,
  email: text,
  location: textOrNull,
  commission_tier: text,
  commission_percent: integerOrNull,
  settlement_mode: text,
  status: text,
  status_reason: textOrNull,
  held_by_house: bool,
  pin_reset_at: timestampOrNull,
  pin_reset_floor: integerOrNull,
  created_at: timestamp,
  updated_at: timestamp,
} satisfies LookupColumns<'agents', keyof AgentRow>;

export const AGENT_COLUMNS = columnNames(COLUMNS);

export function agentById(reader: Reader): Load<string, AgentRow | null> {
  return lookup(reader, { name: 'agent-by-id', table: 'agents', by: 'id', columns: COLUMNS });
}

export function noSuchAgent(who = 'agent'): Refusal {
  return refuse('NOT_FOUND', `There is no such ${who}.`);
}

/** Moving money to or from the float and changing the PIN: an agent's user acts for its own agent only. */
export function ownRefusal(caller: Caller, { id }: Pick<AgentRow, 'id'>): Refusal | null {
  if (!isAgentUser(caller) || caller.agentId === id) return null;
  return refuse('FORBIDDEN', 'You can do this only for your own agent.');
}

/** Null when the agent may move money. The ledger checks again on the locked account. */
export function agentStatusRefusal({ status }: Pick<AgentRow, 'status'>, who = 'agent'): Refusal | null {
  switch (status) {
    case 'active':
      return null;
    case 'suspended':
      return refuse('AGENT_SUSPENDED', `The ${who} is suspended.`);
    case 'terminated':
      return refuse('AGENT_TERMINATED', `The ${who} is terminated.`, { status: 403 });
  }
}

const FLOAT_REFUSALS = {
  account_missing: () => noSuchAgent(),
  account_frozen: () => refuse('AGENT_SUSPENDED', 'The agent is not active.'),
  daily_limit: ({ available, required }: Shortfall) =>
    refuse('DAILY_LIMIT_EXCEEDED', 'The PIN was reset: for 24 hours a tenth of the float can be paid out.', {
      details: { available, required },
    }),
  ceiling: () => refuse('MAX_BALANCE_EXCEEDED', 'The float would be more than an account can hold.'),
  floor: ({ available, required }: Shortfall) =>
    refuse('INSUFFICIENT_FLOAT', 'The float does not cover the amount and its fee.', {
      details: { available, required },
    }),
};

/** The agent's float as one side of a payment. */
export function agentSide({ id }: Pick<AgentRow, 'id'>) {
  return { accountId: id, kind: 'agent_float', party: 'agent', refusals: FLOAT_REFUSALS } as const;
}

/** Of a hold that any agent may capture. */
export const ANY_AGENT = { accountId: NO_ACCOUNT, party: 'agent' } as const;

type EarningAgent = Pick<AgentRow, 'id' | 'commission_tier' | 'commission_percent' | 'settlement_mode'>;

/** The same for a payment that can earn the agent a commission. */
export function earningAgentSide(agent: EarningAgent) {
  const { id, commission_tier: tier, commission_percent: percent, settlement_mode } = agent;
  // If the mode has changed by then, the commission is settled at the end of the day.
  const account = settlement_mode === 'instant' ? null : commissionAccountOf(id);
  return { ...agentSide(agent), commission: { tier, percent, account } };
}
