// What a bulk payment and its rows are: their states, who pays, and the id under which each row is paid once.
import type { Row } from '../../db/schema/tables.ts';

/** `uploading` is not shown: its rows are still arriving. */
export const STATUSES = ['checking', 'checked', 'approved', 'running', 'completed', 'stopped', 'cancelled'] as const;
export type BulkStatus = (typeof STATUSES)[number];

export const ROW_STATUSES = [
  'pending',
  'valid',
  'invalid',
  'paying',
  'paid',
  'unclaimed',
  'returned',
  'failed',
  'cancelled',
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

export const PAYER_KINDS = ['processor', 'partner', 'treasury'] as const;
export type PayerKind = (typeof PAYER_KINDS)[number];

/** Pays in place of a processor or partner id. */
export const TREASURY = 'treasury';

export const MODES = ['continue', 'all_or_nothing'] as const;
export const UNCLAIMED = ['code'] as const;

export interface Payer {
  kind: PayerKind;
  /** The processor's or partner's id, or `treasury`. */
  id: string;
}

export type BulkPayment = Row<'bulk_payments'>;
export type BulkRow = Row<'bulk_payment_rows'>;

/** As which movement a row is priced, limited and checked. */
export const ROW_TYPES = {
  processor: 'processor_transfer',
  treasury: 'processor_transfer',
  partner: 'vult_fund',
} as const satisfies Record<PayerKind, string>;

/** Under which a row is paid once, whichever gateway pays it and how often it tries. */
export function rowRequestId(bulkPaymentId: string, line: number): string {
  return `bulk:${bulkPaymentId}:${line}`;
}
