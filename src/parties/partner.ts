// Partners as parties to a payment: batched look-ups, their status, what they owe, and the refusals about them.
import type { Load } from '../db/batch-loader.ts';
import { integer, json, nullable, text, textOrNull, texts, timestamp } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { loader } from '../db/keyed-lookup.ts';
import { lookup, tableLookup } from '../db/lookup.ts';
import type { Json } from '../db/schema/generated.ts';
import type { Row } from '../db/schema/tables.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

export type PartnerRow = Row<'partners'>;

/** The limits of a single credit. */
export type CreditBounds = Pick<PartnerRow, 'min_amount' | 'max_amount'>;

/** The fields of a partner that funding a wallet needs. */
export type FundingPartner = Pick<PartnerRow, 'id' | 'name' | 'status'> & CreditBounds;

export function fundingPartnerById(reader: Reader): Load<string, FundingPartner | null> {
  const columns = { id: text, name: text, status: text, min_amount: integer, max_amount: integer };
  return lookup(reader, { name: 'funding-partner', table: 'partners', by: 'id', columns });
}

const COLUMNS = {
  id: text,
  name: text,
  status: text,
  ip_allowlist: texts,
  webhook_url: textOrNull,
  webhook_endpoints: nullable(json<Json>),
  min_amount: integer,
  max_amount: integer,
  outstanding_limit: integer,
  created_at: timestamp,
  updated_at: timestamp,
};

/** The whole record, with the amount limits that inbound credits are checked against. */
export const PARTNERS = tableLookup({ name: 'partner-by-id', table: 'partners', by: 'id', columns: COLUMNS });

export function partnerById(reader: Reader): Load<string, PartnerRow | null> {
  return loader(reader, PARTNERS);
}

export function noSuchPartner(): Refusal {
  return refuse('NOT_FOUND', 'There is no such partner.');
}

export function partnerSuspended(): Refusal {
  return refuse('PARTNER_SUSPENDED', 'The partner is suspended.');
}

export function exposureLimitExceeded(): Refusal {
  return refuse('PARTNER_EXPOSURE_LIMIT_EXCEEDED', 'The partner would owe more than its outstanding limit.');
}

/** Null when one credit may have this amount. */
export function amountRefusal(amount: number, { min_amount, max_amount }: CreditBounds): Refusal | null {
  if (amount >= min_amount && amount <= max_amount) return null;
  return refuse('AMOUNT_OUT_OF_RANGE', `amount must be from ${min_amount} to ${max_amount} minor units.`);
}

/** Null when credits may be charged to the partner. The ledger checks again on the locked account. */
export function partnerStatusRefusal({ status }: Pick<PartnerRow, 'status'>): Refusal | null {
  return status === 'active' ? null : partnerSuspended();
}

/** The clearing account that pays a credit, as one side of a payment. */
export function partnerSide({ id }: Pick<PartnerRow, 'id'>) {
  return { accountId: id, kind: 'partner_clearing', party: 'sender', refusals: PARTNER_REFUSALS } as const;
}

const PARTNER_REFUSALS = {
  account_missing: noSuchPartner,
  account_frozen: partnerSuspended,
  floor: exposureLimitExceeded,
};

/** A negative balance of the clearing account is the amount its partner owes. */
export function outstandingOf(clearingBalance: number): number {
  return Math.max(0, -clearingBalance);
}
