// Reads CSV exports independently of the production code, and the cells that a JSON record must have in one.
import assert from 'node:assert/strict';
import type { Json } from './gateway.ts';

export const CSV = { accept: 'text/csv' };

export interface CsvFile {
  columns: string[];
  rows: string[][];
}

/** RFC 4180, strictly: every line ends with CRLF, and quotes are only around whole cells. */
export function parseCsv(text: string): CsvFile {
  assert.ok(text.endsWith('\r\n'), `the last line does not end: ${text.slice(-40)}`);
  const [columns = [], ...rows] = linesOf(text);
  for (const row of rows) assert.equal(row.length, columns.length, JSON.stringify(row));
  return { columns, rows };
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

function linesOf(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length) {
    const from = CELL.lastIndex;
    const [, quoted, plain = '', end] = CELL.exec(text) ?? assert.fail(`malformed: ${text.slice(from, from + 80)}`);
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** The cells of a JSON record. */
export function cellsOf(record: Json, columns: string[]): string[] {
  const unknown = Object.keys(record).filter((name) => !columns.includes(name));
  assert.deepEqual(unknown, [], 'fields without a column');
  const row = columns.map((column) => cellOf(record, column));
  const currency = columns.indexOf('currency');
  const isAmount = columns.map((column) => amountOf(record, column) !== null);
  assert.ok(currency >= 0 || !isAmount.includes(true), 'amounts without a currency');
  if (currency >= 0 && isAmount.includes(true)) row[currency] = 'SLE';
  return row;
}

/** Numbers in records that are not amounts. An integer in a new list is either one of them or written in leones. */
const NUMBERS = new Set([
  ...['id', 'number', 'position', 'version', 'rule_version', 'status', 'kyc_level', 'max_child_cards', 'rate_limit'],
  ...[
    'cards_count',
    'payment_count',
    'sub_agent_count',
    'posting_count',
    'attempt_count',
    'entry_count',
    'age_days',
    'window_seconds',
  ],
  ...['attempts', 'acknowledge_days', 'resolve_days', 'complex_days', 'line', 'progress', 'row_count', 'checked_count'],
  ...['valid_count', 'invalid_count', 'code_count', 'name_mismatch_count', 'repeated_count', 'compliance_count'],
  ...['paid_count', 'failed_count', 'unclaimed_count', 'returned_count', 'cancelled_count'],
  ...['request_bytes', 'reply_bytes', 'duration_ms', 'hours_left', 'network_hours_left', 'commission_percent'],
]);

/** In leones; null for anything else. */
function amountOf(record: Json, column: string): string | null {
  const value = record[column];
  if (/^-?[\d,]+\.\d\d SLE$/.test(String(value))) return String(value).replaceAll(/[, SLE]/g, '');
  if (typeof value !== 'number' || NUMBERS.has(column)) return null;
  if (column === 'fee_value') return record.fee_type === 'flat' ? value.toFixed(2) : null;
  if (record.kind === 'velocity_count' || record.unit === 'count') return null;
  return (value / 100).toFixed(2);
}

function cellOf(record: Json, column: string): string {
  const amount = amountOf(record, column);
  if (amount !== null) return amount;
  const value = record[column];
  if (value === null || value === undefined) return '';
  if (column === 'unit' && value === 'minor_units') return 'SLE';
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value !== 'string') return String(value);
  const isPhoneOrNumber = /^(?:\+\d{6,15}|-\d+(?:\.\d+)?)$/.test(value);
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !isPhoneOrNumber ? `'${value}` : value;
}
