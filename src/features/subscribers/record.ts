// The subscriber record and its API representation.
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import type { LockReason } from '../../auth/pins/attempts.ts';
import { bool, integer, text, textOrNull, texts, timestamp, timestampOrNull } from '../../db/driver/columns.ts';
import { columnNames, type LookupColumns } from '../../db/lookup.ts';
import type { Row } from '../../db/schema/tables.ts';
import { iso } from '../../kernel/clock.ts';
import { kycLimits } from '../../kernel/kyc.ts';
import { formatMoney } from '../../kernel/money.ts';
import { shortName } from '../../kernel/text.ts';
import { reducedLimit } from '../../ledger/posting/limits.ts';
import type { PhoneChange } from '../../parties/phone-change.ts';

/** Without the columns that only indexes and PIN resets use. */
export type SubscriberRow = Omit<Row<'subscribers'>, 'search_text' | 'erased_at' | keyof PhoneChange>;

export const STATUSES = ['ACTIVE', 'BLOCKED', 'PENDING'] as const;
export const ID_TYPES = ['NATIONAL_ID', 'PASSPORT', 'DRIVERS_LICENSE'] as const;

export const DECODERS = {
  id: text,
  account_number: text,
  phone_number: text,
  first_name: text,
  last_name: text,
  email: textOrNull,
  date_of_birth: textOrNull,
  address: textOrNull,
  kyc_level: integer,
  status: text,
  disabled_transaction_types: texts,
  id_number: textOrNull,
  id_type: textOrNull,
  id_document_url: textOrNull,
  selfie_url: textOrNull,
  partner_wallet_id: textOrNull,
  max_child_cards: integer,
  is_pep: bool,
  registered_by_agent: textOrNull,
  phone_verified: bool,
  block_reason: textOrNull,
  blocked_at: timestampOrNull,
  blocked_by: textOrNull,
  pin_reset_at: timestampOrNull,
  created_at: timestamp,
  updated_at: timestamp,
} satisfies LookupColumns<'subscribers', keyof SubscriberRow>;

export const COLUMNS = columnNames(DECODERS);

/** The stored record with fields of other tables, such as its wallet balance and the lock of its PIN. */
export interface Subscriber extends SubscriberRow {
  balance: number;
  /** What holds reserve of it. */
  held: number;
  cards_count: number;
  /** Null if the PIN is not locked. */
  pin_locked_until: Date | null;
  pin_lock_reason: LockReason | null;
  /** The current name of the user or API key that blocked it. */
  blocked_by_name: string | null;
  /** Until when a new PIN can be set with the code that was sent; null without one. */
  pin_reset_code_until: Date | null;
  /** Until when outgoing payments are reduced after a PIN reset; null if they are not. */
  reduced_until: Date | null;
}

/** The fields that a list shows of a subscriber whose record the caller may not read. */
export type HiddenSubscriber = Pick<SubscriberRow, 'id' | 'status'>;

/** The fields that every caller with access to the record sees. */
export function recordOf(row: Subscriber) {
  return {
    id: row.id,
    account_number: row.account_number,
    phone_number: row.phone_number,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    date_of_birth: row.date_of_birth,
    address: row.address,
    kyc_level: row.kyc_level,
    status: row.status,
    ...(row.phone_verified ? {} : { phone_verified: false }),
    disabled_transaction_types: row.disabled_transaction_types,
    balance: formatMoney(row.balance),
    held: formatMoney(row.held),
    available: formatMoney(row.balance - row.held),
    id_number: row.id_number,
    id_type: row.id_type,
    partner_wallet_id: row.partner_wallet_id,
    cards_count: row.cards_count,
    max_child_cards: row.max_child_cards,
    is_pep: row.is_pep,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** Users who decide on blocks see the reason of a block; users who decide on KYC levels also see the documents; support sees locks and resets of PINs. */
function decisionFields(caller: Caller, row: Subscriber) {
  if (caller.kind !== 'user') return {};
  const { block_reason, blocked_at, blocked_by, blocked_by_name, id_document_url, selfie_url } = row;
  const block = { block_reason, blocked_at: blocked_at && iso(blocked_at), blocked_by, blocked_by_name };
  return {
    ...(isAllowed(caller, 'subscribers:block') ? block : {}),
    ...(isAllowed(caller, 'pins:locks') ? pinFields(row) : {}),
    ...(isAllowed(caller, 'subscribers:documents') ? { id_document_url, selfie_url } : {}),
  };
}

function pinFields({ pin_locked_until, pin_lock_reason, pin_reset_code_until, reduced_until, kyc_level }: Subscriber) {
  return {
    pin_locked_until: pin_locked_until && iso(pin_locked_until),
    pin_lock_reason,
    pin_reset_code_until: pin_reset_code_until && iso(pin_reset_code_until),
    outgoing_reduced_until: reduced_until && iso(reduced_until),
    reduced_daily_limit: reduced_until && reducedLimit(kycLimits(kyc_level).dailyLimit),
  };
}

/** Whether the caller is a user of the agent that registered the subscriber. */
export function isRegisteredBy(caller: Caller, { registered_by_agent }: Pick<SubscriberRow, 'registered_by_agent'>) {
  return isAgentUser(caller) && caller.agentId !== null && caller.agentId === registered_by_agent;
}

/** Users of agents see the records of the subscribers they registered, without the balance, and of others very little. */
export function recordFor(caller: Caller, row: Subscriber) {
  if (!isAgentUser(caller)) return { ...recordOf(row), ...decisionFields(caller, row) };
  // An agent sees no more of a politically exposed person than others do: it does not open access.
  if (row.is_pep || !isRegisteredBy(caller, row))
    return { id: row.id, name: shortName(row), status: row.status, kyc_level: row.kyc_level };
  const { balance: _balance, held: _held, available: _available, ...record } = recordOf(row);
  return record;
}

export function listedFor(caller: Caller, row: Subscriber | HiddenSubscriber) {
  return 'phone_number' in row ? recordFor(caller, row) : { id: row.id, status: row.status };
}
