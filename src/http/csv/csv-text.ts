// Writes records as CSV (RFC 4180): CRLF, UTF-8 without a byte order mark, and no text that a spreadsheet would execute.
import { stringify } from 'csv-stringify/sync';

export type ListRecord = Record<string, unknown>;

export function csvHeader(columns: readonly string[]): string {
  return csv([columns]);
}

/** One line per record. Empty text if there are no records. */
export function csvLines(records: readonly ListRecord[], columns: readonly string[]): string {
  return csv(records.map((record) => columns.map((column) => cellOf(record[column]))));
}

/** Lists and objects become JSON text, so that the columns do not depend on the records. */
function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return String(value);
  // A semicolon occurs only inside of strings, where JSON can escape it.
  if (typeof value === 'object') return JSON.stringify(value).replace(HIDDEN_FORMULA, '\\u003b');
  const text = String(value).replace(HIDDEN_FORMULA, ";'");
  // A line feed in front of a formula; escape_formulas covers the other characters.
  return text.startsWith('\n') ? `'${text}` : text;
}

/** Where numbers have a decimal comma, spreadsheets split lines at semicolons, whatever quotes surround them. */
const HIDDEN_FORMULA = /;(?=\s*[=+\-@＝＋－＠])/g;

/** Text that begins with = + - @, a tab or a carriage return gets a leading apostrophe; numbers stay numbers. */
export function csv(rows: readonly (readonly unknown[])[]): string {
  const quoting = { quote_record_delimiter: true, escape_formulas: true };
  return stringify(rows as unknown[][], { record_delimiter: 'windows', ...quoting });
}
