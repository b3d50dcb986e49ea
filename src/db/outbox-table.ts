// Rows that other layers add to a ledger commit: each layer declares its table once, the ledger inserts into it.
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type Statement, statement } from './driver/statement.ts';

/** A row of another table, written in the same commit as the movement. */
export interface OutboxRow {
  table: OutboxTable;
  row: object;
}

/** How a sealed column is written as text: as PostgreSQL prints it, as a timestamp in UTC, or as canonical JSON. */
export type SealedColumn = 'text' | 'timestamp' | 'json';
export type SealedColumns = Readonly<Record<string, SealedColumn>>;

export interface OutboxOptions {
  /** The key column of a table in which a row whose key exists already is skipped. */
  skipExisting?: string;
  /** The columns that never change. The table has a column `batch`, and the seal of the batch covers them. */
  sealed?: SealedColumns;
}

export class OutboxTable {
  readonly name: string;
  readonly skipExisting: string | null;
  readonly sealed: SealedColumns | null;
  /** Takes one parameter: a JSON array of rows. With `skipExisting` it returns the keys of the rows that were inserted. */
  readonly insert: Statement<string>;

  constructor(name: string, { skipExisting, sealed }: OutboxOptions = {}) {
    this.name = name;
    this.skipExisting = skipExisting ?? null;
    this.sealed = sealed ?? null;
    const onConflict = skipExisting === undefined ? '' : ` on conflict do nothing returning ${skipExisting}`;
    const text = `insert into ${name} select * from json_populate_recordset(null::${name}, $1)${onConflict}`;
    const suffix = skipExisting === undefined ? '' : '-once';
    this.insert = statement(`ledger-outbox-${name}${suffix}`, text, ([key]) => key as string);
  }
}

/** The sealed columns of a row, before it is written. */
export function sealedCells(columns: SealedColumns, row: object): (string | null)[] {
  return Object.keys(columns).map((name) => cellOf((row as Record<string, unknown>)[name]));
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  // The table has microseconds.
  if (value instanceof Date) return `${value.toISOString().slice(0, -1)}000Z`;
  return typeof value === 'object' ? canonicalJson(JSON.parse(JSON.stringify(value))) : String(value);
}

/** The SQL expressions that return the same texts from the table, except for JSON, which `sealedText` makes canonical. */
export function sealedExpressions(columns: SealedColumns): string[] {
  return Object.entries(columns).map(([name, kind]) =>
    kind === 'timestamp' ? `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `${name}::text`,
  );
}

export function sealedText(kind: SealedColumn | undefined, text: string | null): string | null {
  return kind === 'json' && text !== null ? canonicalJson(JSON.parse(text)) : text;
}
