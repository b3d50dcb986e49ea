// Lists as tables that fit the terminal: the least important columns give way first.
import Table from 'cli-table3';
import stringWidth from 'string-width';
import { type FormatOptions, formatValue, label, statusColour } from './format.ts';
import { styled } from './terminal.ts';

const GAP = 2;
const MIN_TEXT_WIDTH = 12;

export interface TableOptions extends FormatOptions {
  /** The most important first. */
  columns: readonly string[];
  width: number;
}

export type Row = Readonly<Record<string, unknown>>;

interface Column {
  name: string;
  width: number;
  isNumber: boolean;
  /** Ids must be complete, because people copy them, and so must words that are one of a few. */
  canShrink: boolean;
}

/** The table, and the columns that did not fit. */
export function renderTable(rows: readonly Row[], options: TableOptions): { text: string; omitted: string[] } {
  const columns = options.columns.filter((name) => rows.some((row) => !isBlank(row[name])));
  const cells = rows.map((row) => new Map(columns.map((name) => [name, formatValue(name, row[name], options)])));
  const measured = columns.map((name) => measure(name, rows, cells));
  const fitting = fit(measured, options.width);
  const table = new Table({
    head: fitting.map(({ name }) => styled('bold', label(name).toUpperCase())),
    colWidths: fitting.map(({ width }) => width + GAP),
    colAligns: fitting.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
  });
  for (const [n, row] of rows.entries()) {
    table.push(fitting.map(({ name }) => coloured(name, row[name], cells[n]?.get(name) ?? '')));
  }
  const names = fitting.map(({ name }) => name);
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return { text: lines.join('\n'), omitted: columns.filter((name) => !names.includes(name)) };
}

const BORDERS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
];
const NO_BORDERS = Object.fromEntries(BORDERS.map((name) => [name, '']));

const isBlank = (value: unknown) => value === null || value === undefined || value === '';

function measure(name: string, rows: readonly Row[], cells: readonly Map<string, string>[]): Column {
  const widths = cells.map((row) => stringWidth(row.get(name) ?? ''));
  return {
    name,
    width: widths.reduce((widest, width) => Math.max(widest, width), stringWidth(label(name))),
    isNumber: rows.every(
      (row) => typeof row[name] === 'number' || isBlank(row[name]) || /^-?[\d,]+\.\d\d SLE$/.test(String(row[name])),
    ),
    canShrink:
      !/(^|_)(id|serial|at|number|type|kind|event|status|state)$/.test(name) &&
      rows.some((row) => typeof row[name] === 'string'),
  };
}

/** Leaves out columns until the others fit with shortened texts, then shortens the texts as little as possible. */
function fit(columns: Column[], width: number): Column[] {
  const sum = (list: Column[], of: (column: Column) => number) =>
    list.reduce((total, column) => total + of(column) + GAP, 0);
  const smallest = (column: Column) => (column.canShrink ? Math.min(MIN_TEXT_WIDTH, column.width) : column.width);
  const kept = columns.map((column) => ({ ...column }));
  while (kept.length > 2 && sum(kept, smallest) > width) kept.splice(leastImportant(kept), 1);
  for (;;) {
    const excess = sum(kept, (column) => column.width) - width;
    const [widest] = kept.filter((column) => column.width > smallest(column)).sort((a, b) => b.width - a.width);
    if (excess <= 0 || !widest) return kept;
    widest.width = Math.max(smallest(widest), widest.width - excess);
  }
}

/** Contact details first, then the time, then from the end; never the first column or the status. */
function leastImportant(columns: Column[]): number {
  const by = (pattern: RegExp) => columns.findIndex(({ name }, n) => n > 0 && pattern.test(name));
  const candidates = [
    by(/^(email|fee|description|partner_id)$/),
    by(/^(account_number|last_name|balance_after)$/),
    by(/_at$|^at$/),
  ];
  const found = candidates.find((n) => n !== -1);
  if (found !== undefined) return found;
  const last = columns.length - 1;
  return columns[last]?.name === 'status' ? last - 1 : last;
}

function coloured(name: string, value: unknown, cell: string): string {
  const colour = statusColour(name, value);
  return colour ? styled(colour, cell) : cell;
}
