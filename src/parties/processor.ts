// Processors as parties to a payment: the batched look-up, their status, and which callers may act for them.
import type { Caller } from '../auth/caller.ts';
import type { Load } from '../db/batch-loader.ts';
import { json, nullable, record, text, textOrNull } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { onCitus, statement } from '../db/driver/statement.ts';
import { keyedLookup, loader } from '../db/keyed-lookup.ts';
import { type LookupColumns, tableLookup } from '../db/lookup.ts';
import type { Json } from '../db/schema/generated.ts';
import type { Row } from '../db/schema/tables.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** The fields of a processor that payments need. */
export type PaidProcessor = Pick<
  Row<'processors'>,
  'id' | 'merchant_id' | 'merchant_number' | 'business_name' | 'status' | 'webhook_endpoints'
>;

const COLUMNS = {
  id: text,
  merchant_id: text,
  merchant_number: textOrNull,
  business_name: text,
  status: text,
  webhook_endpoints: nullable(json<Json>),
} satisfies LookupColumns<'processors', keyof PaidProcessor>;

export const PROCESSORS = tableLookup({ name: 'processor-by-id', table: 'processors', by: 'id', columns: COLUMNS });

const BY_MERCHANT_NUMBER = tableLookup({
  name: 'processor-by-merchant-number',
  table: 'processors',
  by: 'merchant_number',
  columns: COLUMNS,
});

const decode = record(COLUMNS);

/** By the id of a payment to it. Not on Citus, where it would read every shard. */
export const PROCESSORS_BY_PAYMENT = keyedLookup<PaidProcessor>(
  onCitus(
    statement(
      'processor-by-payment',
      `select requested.id, processor.* from unnest($1::text[]) as requested (id)
      cross join lateral (select to_account from movements where id = requested.id limit 1) payment
      cross join lateral (${lookedUp('payment.to_account')}) processor`,
      ([payment, ...columns]) => [text(payment), decode(columns) as PaidProcessor] as const,
    ),
    'select null where $1::text[] is null',
  ),
);

function lookedUp(id: string): string {
  return `select ${Object.keys(COLUMNS).join(', ')} from processors where id = ${id} limit 1`;
}

export function processorById(reader: Reader): Load<string, PaidProcessor | null> {
  return loader(reader, PROCESSORS);
}

/** The processor that customers pay by typing this number or scanning its static QR code. */
export function processorByMerchantNumber(reader: Reader): Load<string, PaidProcessor | null> {
  return loader(reader, BY_MERCHANT_NUMBER);
}

export function noSuchProcessor(which = 'processor'): Refusal {
  return refuse('NOT_FOUND', `There is no such ${which}.`);
}

function processorSuspended(which: string): Refusal {
  return refuse('PROCESSOR_SUSPENDED', `The ${which} is suspended.`);
}

/** Null when the processor may pay and be paid. The ledger checks again on the locked account. */
export function processorStatusRefusal({ status }: Pick<PaidProcessor, 'status'>, which = 'processor'): Refusal | null {
  return status === 'active' ? null : processorSuspended(which);
}

/** The processor's account as one side of a payment. */
export function processorSide(
  { id }: Pick<PaidProcessor, 'id'>,
  { which = 'processor', purpose = 'amount' }: { which?: string; purpose?: string } = {},
) {
  const refusals = {
    account_missing: () => noSuchProcessor(which),
    account_frozen: () => processorSuspended(which),
    floor: () => refuse('INSUFFICIENT_BALANCE', `The processor's balance does not cover the ${purpose}.`),
  };
  return { accountId: id, kind: 'processor', party: 'processor', refusals } as const;
}

/** The only processor this caller may see and act for. Null: no restriction. 'none': a user without a processor. */
export function onlyProcessorOf(caller: Caller): string | null {
  if (caller.kind === 'user' && caller.role === 'processor') return caller.processorId ?? 'none';
  return caller.kind === 'key' ? caller.processorId : null;
}

/** For a processor that exists; a processor that does not exist gets 404 for every caller. */
export function otherProcessorRefusal(caller: Caller, id: string): Refusal | null {
  const only = onlyProcessorOf(caller);
  if (only === null || only === id) return null;
  return refuse('FORBIDDEN', `This ${caller.kind === 'key' ? 'API key' : 'user'} belongs to another processor.`);
}
