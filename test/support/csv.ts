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
  return columns.map((column) => cellOf(record[column]));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value !== 'string') return String(value);
  return /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
}
