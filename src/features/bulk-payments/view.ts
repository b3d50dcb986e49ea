// Bulk payments and their rows as their readers see them.
import { iso } from '../../kernel/clock.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { STAFF_WARNINGS } from './checking/outcome.ts';
import type { BulkPayment, BulkRow, BulkStatus } from './types.ts';

/** Who reads. Staff see what compliance rules say; merchants and partners would find their thresholds. */
export interface Viewer {
  isStaff: boolean;
}

export function bulkPaymentView(payment: BulkPayment, payerName: string | null, { isStaff }: Viewer) {
  const { payer_kind, payer_id, status, file_sha256, compliance_count, available_at_check: available } = payment;
  const total = payment.valid_amount + payment.valid_fees;
  return {
    ...{ id: payment.id, name: payment.name, status: status as BulkStatus },
    processor_id: payer_kind === 'processor' ? payer_id : null,
    partner_id: payer_kind === 'partner' ? payer_id : null,
    treasury: payer_kind === 'treasury',
    payer_name: payerName,
    ...{ file_format: payment.format, file_sha256: file_sha256?.toString('hex') ?? null },
    ...{ repeat_of: payment.repeat_of, retry_of: payment.retry_of, unclaimed: payment.unclaimed, mode: payment.mode },
    progress: progressOf(payment),
    ...{ row_count: payment.row_count, checked_count: payment.checked_count, valid_count: payment.valid_count },
    ...{ invalid_count: payment.invalid_count, code_count: payment.code_count },
    ...{ name_mismatch_count: payment.name_mismatch_count, repeated_count: payment.repeated_count },
    compliance_count: isStaff ? compliance_count : null,
    ...{ paid_count: payment.paid_count, failed_count: payment.failed_count },
    ...{ unclaimed_count: payment.unclaimed_count, returned_count: payment.returned_count },
    cancelled_count: payment.cancelled_count,
    ...{ currency: CURRENCY, amount: payment.amount, valid_amount: payment.valid_amount },
    ...{ valid_fees: payment.valid_fees, total_amount: total, invalid_amount: payment.invalid_amount },
    ...{ paid_amount: payment.paid_amount, paid_fees: payment.paid_fees, failed_amount: payment.failed_amount },
    ...{ unclaimed_amount: payment.unclaimed_amount, returned_amount: payment.returned_amount },
    cancelled_amount: payment.cancelled_amount,
    available_amount: available,
    covered: payment.checked_at === null || available === null ? null : total <= available,
    ...{ uploaded_by: payment.uploaded_by, uploaded_by_type: payment.uploaded_by_type },
    ...{ created_at: iso(payment.created_at), checked_at: timeOf(payment.checked_at) },
    ...{ approved_by: payment.approved_by, approved_at: timeOf(payment.approved_at) },
    ...{ starts_at: timeOf(payment.starts_at), started_at: timeOf(payment.started_at) },
    ...{ ended_by: payment.ended_by, ended_at: timeOf(payment.ended_at) },
  };
}

function timeOf(at: Date | null): string | null {
  return at && iso(at);
}

function progressOf(payment: BulkPayment): number {
  const { status, row_count, checked_count, valid_count } = payment;
  if (status === 'checking') return percent(checked_count, row_count);
  if (status === 'checked' || status === 'completed') return 100;
  const settled = payment.paid_count + payment.failed_count + payment.unclaimed_count + payment.returned_count;
  return percent(settled, valid_count);
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, Math.floor((part * 100) / whole));
}

/** `isHidden`: to somebody whom the reader may not see. */
export function rowView(row: BulkRow, { isStaff }: Viewer, isHidden = false) {
  const { line, status } = row;
  const warnings = row.warnings.filter((warning) => isStaff || !STAFF_WARNINGS.includes(warning));
  const shown = {
    ...{ reference: row.reference, phone_number: row.phone_number, account_number: row.account_number },
    ...{ name: row.given_name, amount: row.amount, fee: row.fee, description: row.description },
    name_match: row.name_matches === null ? null : row.name_matches ? ('match' as const) : ('no_match' as const),
    ...{ reason: row.reason, reason_text: row.reason_text, transaction_id: row.transaction_id },
    paid_at: timeOf(row.paid_at),
  };
  const hidden = Object.fromEntries(Object.keys(shown).map((name) => [name, null])) as Hidden<typeof shown>;
  return { line, status, ...(isHidden ? hidden : shown), warnings: isHidden ? [] : warnings, currency: CURRENCY };
}

type Hidden<View> = { [Name in keyof View]: null };
export type RowView = ReturnType<typeof rowView>;
