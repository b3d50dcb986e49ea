// The report of a bulk payment as a PDF: totals, who decided, and the rows that are not paid.
import { amountInWords } from '../../../kernel/amount-words.ts';
import { decimalMoney, formatMoney } from '../../../kernel/money.ts';
import { plural } from '../../../kernel/plural.ts';
import { newPdf } from '../../../pdf/document.ts';
import { Sheet, type TableColumn } from '../../../pdf/sheet.ts';
import type { bulkPaymentView, RowView } from '../view.ts';

export interface ReportOptions {
  /** The legal name of the operator. */
  operator: string;
  /** The request that produced the document; the audit log has it. */
  documentId: string;
  generatedAt: number;
  generatedBy: string;
}

type View = ReturnType<typeof bulkPaymentView>;

/** More would be no document for people; the CSV has all of them. */
export const MOST_ROWS_SHOWN = 500;

export async function reportPdf(payment: View, unpaid: readonly RowView[], options: ReportOptions): Promise<Buffer> {
  const { operator, documentId, generatedAt, generatedBy } = options;
  const doc = await newPdf({
    ...{ title: `Bulk payment ${payment.id}`, author: operator, createdAt: generatedAt, bufferPages: true },
  });
  const generated = `Generated ${timeText(new Date(generatedAt).toISOString())} by ${generatedBy}`;
  const sheet = new Sheet(doc, { operator, kind: 'Bulk payment', documentId, generated });
  drawTotals(sheet, payment);
  drawDecisions(sheet, payment);
  drawUnpaid(sheet, payment, unpaid);
  sheet.end();
  doc.end();
  const chunks: Buffer[] = [];
  for await (const chunk of doc) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const SUMS: TableColumn[] = [
  { label: 'Rows', width: 200 },
  { label: 'Number', width: 100, align: 'right' },
  { label: 'Amount, leones', width: 150, align: 'right' },
];

function drawTotals(sheet: Sheet, payment: View): void {
  const isPaid = payment.started_at !== null;
  const shown = isPaid ? payment.paid_amount : payment.valid_amount;
  sheet.amount(formatMoney(shown), `${isPaid ? 'Paid' : 'Can be paid'}: ${amountInWords(shown)}`, payment.status);
  sheet.boxes([
    {
      label: 'PAYER',
      lines: [payment.payer_name ?? '', payment.processor_id ?? payment.partner_id ?? ''].filter(Boolean),
    },
    { label: 'BULK PAYMENT', lines: [payment.name, payment.id] },
  ]);
  sheet.heading('Totals');
  const rows: [string, number, number][] = [
    ['In the file', payment.row_count, payment.amount],
    ['Valid', payment.valid_count, payment.valid_amount],
    ['Invalid', payment.invalid_count, payment.invalid_amount],
    ['Paid', payment.paid_count, payment.paid_amount],
    ['Codes not redeemed yet', payment.unclaimed_count, payment.unclaimed_amount],
    ['Returned', payment.returned_count, payment.returned_amount],
    ['Failed', payment.failed_count, payment.failed_amount],
    ['Cancelled', payment.cancelled_count, payment.cancelled_amount],
  ];
  const texts = rows.map(([label, count, amount]) => [label, count.toLocaleString('en'), decimalMoney(amount)]);
  sheet.table(SUMS, texts);
  sheet.fact('Fees', `${formatMoney(payment.valid_fees)} for the valid rows, ${formatMoney(payment.paid_fees)} paid`);
}

function drawDecisions(sheet: Sheet, payment: View): void {
  sheet.heading('Record');
  sheet.fact('Uploaded', `${timeText(payment.created_at)} by ${payment.uploaded_by_type} ${payment.uploaded_by}`);
  sheet.fact('SHA-256 of the file', payment.file_sha256 ?? 'none');
  if (payment.approved_at) sheet.fact('Approved', `${timeText(payment.approved_at)} by ${payment.approved_by}`);
  if (payment.started_at) sheet.fact('Started', timeText(payment.started_at));
  if (payment.ended_at) sheet.fact('Ended', timeText(payment.ended_at));
  if (payment.repeat_of) sheet.fact('Repeats', payment.repeat_of);
  if (payment.retry_of) sheet.fact('Retries', payment.retry_of);
}

const UNPAID: TableColumn[] = [
  { label: 'Line', width: 44 },
  { label: 'Reference', width: 110 },
  { label: 'Recipient', width: 110 },
  { label: 'Leones', width: 76, align: 'right' },
  { label: 'Why', width: 155 },
];

function drawUnpaid(sheet: Sheet, payment: View, unpaid: readonly RowView[]): void {
  const count = payment.invalid_count + payment.failed_count + payment.returned_count;
  sheet.heading('Rows that are not paid');
  if (count === 0) sheet.note('None.');
  else sheet.table(UNPAID, unpaid.map(cellsOf));
  if (count > unpaid.length) {
    sheet.note(`The first ${plural(unpaid.length, 'row')} of ${count}. report.csv has all of them.`);
  }
}

function cellsOf({ line, reference, phone_number, account_number, amount, reason_text, status }: RowView): string[] {
  const recipient = phone_number ?? account_number ?? 'Withheld';
  const money = amount === null ? '' : decimalMoney(amount);
  return [String(line), reference ?? 'Withheld', recipient, money, reason_text ?? status];
}

function timeText(instant: string): string {
  return `${instant.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ')} UTC`;
}
