// The report of a bulk payment as CSV: every row with its outcome, streamed.
import { csvHeader, csvLines } from '../../../http/csv/csv-text.ts';
import { decimalMoney } from '../../../kernel/money.ts';
import type { RowView } from '../view.ts';

const COLUMNS = [
  ...['line', 'reference', 'phone_number', 'account_number', 'name', 'amount', 'fee', 'currency', 'description'],
  ...['status', 'name_match', 'reason', 'reason_text', 'warnings', 'transaction_id', 'paid_at'],
];

export async function* reportCsv(pages: AsyncIterable<RowView[]>): AsyncGenerator<string> {
  yield csvHeader(COLUMNS);
  for await (const rows of pages) yield csvLines(rows.map(csvRow), COLUMNS);
}

function csvRow({ amount, fee, warnings, ...row }: RowView): Record<string, unknown> {
  return {
    ...row,
    amount: amount === null ? null : decimalMoney(amount),
    fee: fee === null ? null : decimalMoney(fee),
    warnings: warnings.join(' '),
  };
}
