// Request and response schemas for bulk payments.
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { idField, integerOrNull, line, minorUnits, pdfFile, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { WARNINGS } from './checking/outcome.ts';
import { MAX_ROWS, MEDIA_TYPES } from './intake/read-file.ts';
import { MODES, ROW_STATUSES, STATUSES, UNCLAIMED } from './types.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const orNull = (description: string) => textOrNull(`${description} ISO 8601, UTC; null until then.`);

export const bulkPaymentRecord = Type.Object(
  {
    id: idField('the bulk payment'),
    name: Type.String({ description: 'As the uploader named it.' }),
    status: Type.Enum(STATUSES, {
      description:
        'checking, checked (waits for approval), approved, running, and then completed, stopped or cancelled.',
    }),
    processor_id: textOrNull('The merchant that pays; null if another pays.'),
    partner_id: textOrNull('The partner that pays; null if another pays.'),
    treasury: Type.Boolean({ description: "The operator's treasury pays." }),
    payer_name: textOrNull('The name of who pays.'),
    file_format: Type.Enum(['csv', 'json'], { description: 'The format of the file.' }),
    file_sha256: textOrNull('SHA-256 of the file, in hexadecimal digits. An approval names it.'),
    repeat_of: textOrNull('The bulk payment that this one pays again on purpose; null: none.'),
    retry_of: textOrNull('The bulk payment whose failed rows this one retries; null: none.'),
    unclaimed: Type.Union([Type.Enum(UNCLAIMED), Type.Null()], {
      description: 'code: numbers without a wallet are paid as cash-out codes. Null: such rows are invalid.',
    }),
    mode: Type.Union([Type.Enum(MODES), Type.Null()], { description: 'What the approval chose; null until then.' }),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Of checking, later of paying, in percent.' }),
    row_count: count('Rows of the file.'),
    checked_count: count('Rows that are checked.'),
    valid_count: count('Rows that can be paid, as checked.'),
    invalid_count: count('Rows that cannot be paid; each has its reason.'),
    code_count: count('Valid rows whose number has no wallet, which are paid as codes.'),
    name_mismatch_count: count("Valid rows whose name is not the wallet's."),
    repeated_count: count('Valid rows to a wallet that an earlier row pays too.'),
    compliance_count: integerOrNull(
      'Valid rows that a compliance rule would flag or block by their amount; for staff.',
    ),
    paid_count: count('Rows that are paid.'),
    failed_count: count('Rows that were refused when they were paid.'),
    unclaimed_count: count('Rows paid as codes that nobody has redeemed yet.'),
    returned_count: count('Rows paid as codes whose money came back.'),
    cancelled_count: count('Rows that were cancelled before they were paid.'),
    currency: Type.String(),
    amount: minorUnits('The sum of all rows. Minor units.'),
    valid_amount: minorUnits('The sum of the valid rows. Minor units.'),
    valid_fees: minorUnits('What the payer pays on top for the valid rows. Minor units.'),
    total_amount: minorUnits('valid_amount and valid_fees. Minor units.'),
    invalid_amount: minorUnits('The sum of the invalid rows. Minor units.'),
    paid_amount: minorUnits('Minor units.'),
    paid_fees: minorUnits('What the payer paid on top. Minor units.'),
    failed_amount: minorUnits('Minor units.'),
    unclaimed_amount: minorUnits('Minor units.'),
    returned_amount: minorUnits('Minor units.'),
    cancelled_amount: minorUnits('Minor units.'),
    available_amount: integerOrNull(
      'What the payer could pay when checking ended; of the treasury, what was left of its daily limit. Minor units; null until then.',
    ),
    covered: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether that covered total_amount; null until the rows are checked.',
    }),
    uploaded_by: Type.String({
      description: 'The user or API key that uploaded it. Neither they nor who created the key can approve it.',
    }),
    uploaded_by_type: Type.Enum(['user', 'key'], { description: 'Whether uploaded_by is a login or an API key.' }),
    created_at: timestamp(),
    checked_at: orNull('When checking ended.'),
    approved_by: textOrNull('The user who approved it; null until then.'),
    approved_at: orNull('When it was approved.'),
    starts_at: orNull('When it starts, if the approval says so.'),
    started_at: orNull('When the first row was paid.'),
    ended_by: textOrNull('The user or API key that cancelled or stopped it; null: nobody did.'),
    ended_at: orNull('When it was completed, stopped or cancelled.'),
  },
  { title: 'BulkPayment' },
);

const HIDDEN = 'Null for staff if the recipient is a politically exposed person.';
const rowRecord = Type.Object(
  {
    line: Type.Integer({ description: 'In the file; for JSON the number of the row, from 1.' }),
    status: Type.Enum(ROW_STATUSES, {
      description:
        'pending (not checked), valid, invalid, paying, paid, unclaimed (a code), returned, failed, cancelled.',
    }),
    reference: textOrNull(`The payer's reference. ${HIDDEN}`),
    phone_number: textOrNull('E.164 if it is a phone number; null if the row names an account.'),
    account_number: textOrNull('Null if the row names a phone number.'),
    name: textOrNull("The name as the payer sent it, never the wallet's; null: none."),
    amount: integerOrNull(`Minor units. ${HIDDEN}`),
    fee: integerOrNull('What the payer pays on top. Minor units; null: not checked, or not valid.'),
    description: textOrNull('What the payment is for; null: nothing was said.'),
    name_match: Type.Union([Type.Enum(['match', 'no_match']), Type.Null()], {
      description:
        "Whether the name is the wallet's; null: no name was sent, there is no wallet, or the row is not checked.",
    }),
    reason: textOrNull('Why it is invalid, failed or returned: a code. Null: it is not.'),
    reason_text: textOrNull('The reason in words.'),
    warnings: Type.Array(Type.Enum(WARNINGS), {
      description: 'REPEATED_RECIPIENT: an earlier row pays the same wallet. COMPLIANCE_…: for staff only.',
    }),
    transaction_id: textOrNull('Null until it is paid.'),
    paid_at: textOrNull('ISO 8601, UTC; null until it is paid.'),
    currency: Type.String(),
  },
  { title: 'BulkPaymentRow' },
);

const payer = {
  processor_id: Type.Optional(Type.String({ maxLength: 100, description: 'The merchant that pays.' })),
  partner_id: Type.Optional(Type.String({ maxLength: 100, description: 'The partner that pays.' })),
  treasury: Type.Optional(Type.Enum(['true', 'false'], { description: "true: the operator's treasury pays." })),
};

export const uploadQuery = Type.Object({
  ...payer,
  name: Type.Optional(line(100, 'What people call it, such as Nurses, November.')),
  unclaimed: Type.Optional(
    Type.Enum(UNCLAIMED, {
      description: 'code: rows for numbers without a wallet are valid, and paid as cash-out codes. Default: invalid.',
    }),
  ),
  repeat_of: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The completed bulk payment whose file is to be paid again on purpose.',
    }),
  ),
  file_sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{64}$',
      description:
        'SHA-256 of the file in hexadecimal digits. Required for keys: their signature covers it, and it covers the file.',
      [ERROR_MESSAGE]: 'must be 64 hexadecimal digits',
    }),
  ),
});
export type UploadRequest = Static<typeof uploadQuery>;

const sentRow = Type.Object(
  {
    reference: Type.String({ description: "The payer's own; used once in 90 days." }),
    phone_number: Type.Optional(Type.String({ description: 'This or account_number.' })),
    account_number: Type.Optional(Type.String({ description: 'This or phone_number.' })),
    name: Type.Optional(Type.String({ description: "Compared with the name of the wallet's holder." })),
    amount: Type.Union([Type.String(), Type.Number()], { description: 'In leones, such as "1250.50".' }),
    description: Type.Optional(Type.String({ description: 'Shown in the history of both sides.' })),
  },
  { title: 'BulkPaymentFileRow' },
);

export const upload = {
  json: Type.Object({ rows: Type.Array(sentRow) }),
  mediaTypes: MEDIA_TYPES,
  atomic: true,
  limitBytes: 64 * 1024 * 1024,
  description: `text/csv: a header with reference, phone_number or account_number (or both, one per row), amount, and optionally name and description, in any order. application/json: { "rows": [ … ] } with these fields. Amounts are in leones with at most two decimals in both, such as 1250 or 1250.50. UTF-8, at most 64 MiB and ${MAX_ROWS.toLocaleString('en')} rows.`,
} as const;

export const listRequest = listQuery({
  ...payer,
  status: Type.Optional(Type.Enum(STATUSES, { description: 'Only bulk payments with this status.' })),
  from: Type.Optional(dayOrInstant('Uploaded at or after')),
  to: Type.Optional(dayOrInstant('Uploaded at or before')),
});
export const rowsQuery = listQuery({
  status: Type.Optional(Type.Enum(ROW_STATUSES, { description: 'Only rows with this status.' })),
  name_match: Type.Optional(
    Type.Enum(['match', 'no_match'], { description: "Only rows whose name is, or is not, the wallet's." }),
  ),
});

const done = { success: Type.Literal(true), message: Type.String() };
export const changedReply = Type.Object({ ...done, bulk_payment: bulkPaymentRecord });
export const bulkPaymentReply = Type.Object({ bulk_payment: bulkPaymentRecord });
export const bulkPaymentsReply = listReply('bulk_payments', bulkPaymentRecord);
export const rowsReply = listReply('rows', rowRecord);
export const csvReport = {
  description: 'All rows, in the order of the file.',
  content: { 'text/csv': { schema: Type.String({ description: 'Amounts are in leones with two decimals.' }) } },
};
export const pdfReport = {
  description: 'The report.',
  content: {
    'application/pdf': { schema: pdfFile('the totals, who uploaded and approved it, and the rows that are not paid.') },
  },
};

export const limitParams = Type.Object({
  payer_id: Type.String({ minLength: 1, description: 'A merchant or a partner.' }),
});
const rowLimit = Type.Object(
  {
    payer_id: Type.String({ description: 'The merchant or the partner.' }),
    unpaid_rows: count('How many rows it may have checked and not paid in 30 days, beyond the rows paid.'),
    checked_rows: count('Rows of its files of the last 30 days.'),
    paid_rows: count('Those of them that are paid.'),
    remaining: count('How many rows its next file may have.'),
  },
  { title: 'BulkRowLimit' },
);
export const rowLimitReply = Type.Object({ row_limit: rowLimit });
export const rowLimitChangedReply = Type.Object({ ...done, row_limit: rowLimit });
export const rowLimitBody = Type.Object({
  unpaid_rows: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description:
      'How many rows the payer may have checked and not paid in 30 days, beyond the rows paid. Default: 1,000.',
    [ERROR_MESSAGE]: 'must be a whole number from 0 to 1000000',
  }),
});
