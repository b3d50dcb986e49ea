// Records as hits of the search.
import type { Static } from 'typebox';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import { iso } from '../../kernel/clock.ts';
import { formatMoney } from '../../kernel/money.ts';
import { maskedPhone } from '../../kernel/phone.ts';
import { shortName } from '../../kernel/text.ts';
import type { SlipMovement } from '../../ledger/queries/movement-by-slip.ts';
import type { SearchText } from './query.ts';
import type { hit } from './schemas.ts';
import type { FoundAgent, FoundCard, FoundCredit, FoundPartner, FoundProcessor, FoundSubscriber } from './store.ts';

export type Hit = Static<typeof hit>;

/** Users of agents see the masked name and phone number, except of the subscribers they registered. */
export function subscriberHit(caller: Caller, row: FoundSubscriber, query: SearchText, matchedBy?: 'card_serial'): Hit {
  const isForeign = isAgentUser(caller) && (caller.agentId === null || caller.agentId !== row.registered_by_agent);
  const isMasked = isForeign || (isAgentUser(caller) && row.is_pep);
  return {
    type: 'subscriber',
    id: row.id,
    title: isMasked ? shortName(row) : `${row.first_name} ${row.last_name}`,
    subtitle: isMasked ? maskedPhone(row.phone_number) : `${row.phone_number}, account ${row.account_number}`,
    status: row.status,
    matched_by: matchedBy ?? subscriberMatch(row, query),
    created_at: isMasked ? null : iso(row.created_at),
  };
}

function subscriberMatch(row: FoundSubscriber, query: SearchText): Hit['matched_by'] {
  if (hasPhone(row, query)) return 'phone_number';
  if (row.account_number === query.accountNumber) return 'account_number';
  if (query.part && row.account_number.startsWith(query.part.digits)) return 'account_number';
  return row.id === query.id ? 'id' : 'name';
}

/** Whether the text is the phone number, or a part of it. */
function hasPhone({ phone_number }: { phone_number: string }, { phoneNumber, part }: SearchText): boolean {
  if (part === null || phone_number === phoneNumber) return phone_number === phoneNumber;
  return phone_number.endsWith(part.digits) || (part.phoneStart !== null && phone_number.startsWith(part.phoneStart));
}

/** `holder`: the holder's name, if the caller may read it. */
export function cardHit(row: FoundCard, holder: string | null): Hit {
  return {
    type: 'card',
    id: row.serial,
    title: row.serial,
    subtitle: holder ?? row.label,
    status: row.status,
    matched_by: 'card_serial',
    subscriber_id: row.subscriber_id,
    created_at: iso(row.created_at),
  };
}

export function transactionHit(row: SlipMovement): Hit {
  return {
    type: 'transaction',
    id: row.id,
    title: `${row.type} ${formatMoney(row.amount)}`,
    subtitle: `${row.fromAccount} to ${row.toAccount}`,
    status: 'COMPLETED',
    matched_by: row.matchedBy,
    created_at: iso(row.at),
  };
}

export function creditHit(row: FoundCredit, { id }: SearchText): Hit {
  return {
    type: 'inbound',
    id: row.id,
    title: `inbound_credit ${formatMoney(row.amount)}`,
    subtitle: `${row.partner_id}, reference ${row.reference}`,
    status: row.status,
    matched_by: row.id === id ? 'id' : 'reference',
    subscriber_id: row.subscriber_id,
    created_at: iso(row.completed_at),
  };
}

export function agentHit(row: FoundAgent, query: SearchText): Hit {
  return {
    type: 'agent',
    id: row.id,
    title: row.business_name,
    subtitle: `${row.first_name} ${row.last_name}, ${row.phone_number}`,
    status: row.status,
    matched_by: row.id === query.id ? 'id' : hasPhone(row, query) ? 'phone_number' : 'name',
    created_at: iso(row.created_at),
  };
}

export function processorHit(row: FoundProcessor, query: SearchText): Hit {
  return {
    type: 'processor',
    id: row.id,
    title: row.business_name,
    subtitle: `${row.merchant_id}, ${row.phone_number}`,
    status: row.status,
    matched_by: processorMatch(row, query),
    created_at: iso(row.created_at),
  };
}

function processorMatch(row: FoundProcessor, query: SearchText): Hit['matched_by'] {
  const { id, merchantNumber, text } = query;
  if (row.id === id) return 'id';
  if (hasPhone(row, query)) return 'phone_number';
  if (merchantNumber !== null && row.merchant_number === merchantNumber) return 'merchant_number';
  return row.merchant_id.toLowerCase() === text.toLowerCase() ? 'merchant_id' : 'name';
}

export function partnerHit(row: FoundPartner, { id }: SearchText): Hit {
  return {
    type: 'partner',
    id: row.id,
    title: row.name,
    subtitle: null,
    status: row.status,
    matched_by: row.id === id ? 'id' : 'name',
    created_at: iso(row.created_at),
  };
}

/**
 * What is shown of a politically exposed person that the caller may not see: the serial and status of a card, as in lists, and
 * no payment, because a hit would confirm its reference.
 */
export function hiddenHits({ type, id, status, matched_by }: Hit): Hit[] {
  if (type !== 'card') return [];
  return [{ type, id, title: id, subtitle: null, status, matched_by, created_at: null }];
}
