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
  // A semicolon occurs only inside of strings, where JSON can escape it; line ends are escaped already.
  if (typeof value === 'object') return JSON.stringify(value).replace(HIDDEN_FORMULA, '\\u003b');
  return String(value);
}

/** Spreadsheets skip white space before a formula. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** A phone number in E.164, or a negative number: a spreadsheet has nothing to compute in it. */
const NO_FORMULA = /^(?:\+\d{6,15}|-\d+(?:\.\d+)?)$/;

function withoutFormula(cell: unknown): unknown {
  if (typeof cell !== 'string' || NO_FORMULA.test(cell)) return cell;
  return (FORMULA.test(cell) ? `'${cell}` : cell).replaceAll(HIDDEN_FORMULA, "$&'");
}

/**
 * Where numbers have a decimal comma, spreadsheets split lines at semicolons, whatever quotes surround them. They then see a
 * quote in the middle of a cell, and a line end after it ends the row.
 */
const HIDDEN_FORMULA = /(?:;|\r?\n|\r(?!\n))(?=\s*[=+\-@＝＋－＠])/g;

/** Text that can be a formula gets a leading apostrophe. */
export function csv(rows: readonly (readonly unknown[])[]): string {
  const cells = rows.map((row) => row.map(withoutFormula));
  return stringify(cells, { record_delimiter: 'windows', quote_record_delimiter: true });
}
