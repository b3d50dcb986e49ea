// Finds single rows by a unique column. Look-ups of the same turn of the event loop share one statement.
import type { Selectable } from 'kysely';
import type { Load } from './batch-loader.ts';
import { type Column, record, text } from './driver/columns.ts';
import type { Reader } from './driver/reader.ts';
import { onCitus, statement } from './driver/statement.ts';
import { type KeyedLookup, keyedLookup, loader } from './keyed-lookup.ts';
import type { Tables } from './schema/tables.ts';

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** The columns to read, with their decoders (driver/columns.ts). */
export type LookupColumns<Table extends keyof Tables, Name extends keyof Row<Table>> = {
  readonly [Each in Name]: (column: Column) => Row<Table>[Each];
};

/** For Kysely's select and returning. */
export function columnNames<Name extends string>(columns: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(columns) as Name[];
}

export interface Lookup<Table extends keyof Tables, Name extends keyof Row<Table>> {
  /** The name of the prepared statement. */
  name: string;
  table: Table;
  /** A text column with a unique index. */
  by: keyof Row<Table> & string;
  /** The condition of a partial unique index. */
  where?: string;
  columns: LookupColumns<Table, Name>;
}

/** Lateral with a limit: only an index can serve it, even when the plan was made while the table was empty. */
export function lookupSql(options: {
  table: string;
  by: string;
  columns: readonly string[];
  where?: string;
  /** The parameter with the keys. */
  keys?: string;
}): string {
  const { table, by, columns, where = 'true', keys = '$1' } = options;
  return `select requested.key, found.* from unnest(${keys}::text[]) as requested (key) cross join lateral (
    select ${columns.join(', ')} from ${table} where ${by} = requested.key and ${where} limit 1) found`;
}

/** `accounts`: the column with the id of the account that a row names. */
export function tableLookup<Table extends keyof Tables, Name extends keyof Row<Table> & string>(
  { name, table, by, columns, where = 'true' }: Lookup<Table, Name>,
  account?: keyof Row<Table> & string,
): KeyedLookup<Pick<Row<Table>, Name>> {
  const decode = record(columns);
  const names = Object.keys(columns);
  const find = onCitus(
    statement(
      name,
      lookupSql({ table, by, where, columns: names }),
      ([key, ...found]) => [text(key), decode(found) as Pick<Row<Table>, Name>] as const,
    ),
    `select ${by}, ${names.join(', ')} from ${table} where ${by} = any($1::text[]) and ${where}`,
  );
  const accounts = (keys: string) => lookupSql({ table, by, where, columns: [String(account)], keys });
  return keyedLookup(find, account && ((keys) => `select ${account} from (${accounts(keys)}) named`));
}

export function lookup<Table extends keyof Tables, Name extends keyof Row<Table> & string>(
  reader: Reader,
  options: Lookup<Table, Name>,
): Load<string, Pick<Row<Table>, Name> | null> {
  return loader(reader, tableLookup(options));
}
