// Processors as parties to a payment: the batched look-up, their status, and which callers may act for them.
import type { Caller } from '../auth/caller.ts';
import type { Load } from '../db/batch-loader.ts';
import { text } from '../db/driver/columns.ts';
import type { Reader } from '../db/driver/reader.ts';
import { loader } from '../db/keyed-lookup.ts';
import { tableLookup } from '../db/lookup.ts';
import type { Row } from '../db/schema/tables.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** The fields of a processor that payments need. */
export type PaidProcessor = Pick<Row<'processors'>, 'id' | 'merchant_id' | 'business_name' | 'status'>;

const PAID = { id: text, merchant_id: text, business_name: text, status: text };

export const PROCESSORS = tableLookup({
  name: 'processor-by-id',
  table: 'processors',
  by: 'id',
  columns: PAID,
});

const BY_MERCHANT_NUMBER = tableLookup({
  name: 'processor-by-merchant-number',
  table: 'processors',
  by: 'merchant_number',
  columns: PAID,
});

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
