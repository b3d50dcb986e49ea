// Prepared statements as values: a name, a text, and a decoder for the rows.

/** A row as PostgreSQL sends it: its columns in text format. columns.ts decodes them. */
export type Columns = readonly (string | null)[];

export interface Statement<Row> {
  /** The server-side name. Unique: a connection parses each name once. */
  readonly name: string;
  readonly text: string;
  readonly decode: (columns: Columns) => Row;
  /** The text for connections to a Citus cluster; by default the same. */
  readonly citusText?: string;
}

/** Parameters. Buffers are sent in binary format (binary-arrays.ts), everything else as text. */
export type Value = Buffer | string | number | boolean | Date | null;
export type Values = readonly Value[];

/** A statement with its parameters, to be sent later. */
export interface BoundStatement {
  readonly statement: Statement<unknown>;
  readonly values: Values;
}

/** Runs prepared statements: the shared reader, a pool, or a held connection. */
export interface StatementRunner {
  run<Row>(statement: Statement<Row>, values?: Values): Promise<Row[]>;
  /** For statements that write: the number of rows affected. */
  execute(statement: Statement<unknown>, values?: Values): Promise<number>;
}

/** Without a decoder the rows are the columns themselves. */
export function statement(name: string, text: string): Statement<Columns>;
export function statement<Row>(name: string, text: string, decode: (columns: Columns) => Row): Statement<Row>;
export function statement(name: string, text: string, decode: (columns: Columns) => unknown = asColumns) {
  return { name, text, decode };
}

/** For a text that Citus refuses, or that would read every shard. Parameters and columns are the same. */
export function onCitus<Row>(statement: Statement<Row>, citusText: string): Statement<Row> {
  return { ...statement, citusText };
}

function asColumns(columns: Columns): Columns {
  return columns;
}

/** Returns values of other types unchanged, and pg's serializer then throws. */
export function encodeValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value instanceof Date ? encodeDate(value) : value;
}

/** ISO 8601 as PostgreSQL reads it: years after 9999 have no sign, years before 1 are BC. */
function encodeDate(date: Date): string {
  const iso = date.toISOString();
  const year = date.getUTCFullYear();
  if (year > 9_999) return iso.replace(/^\+0*/, '');
  return year > 0 ? iso : `${String(1 - year).padStart(4, '0')}${iso.slice(-'-MM-DDTHH:MM:SS.sssZ'.length)} BC`;
}
