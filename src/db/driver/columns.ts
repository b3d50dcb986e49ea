// Decodes columns from PostgreSQL's text format: for prepared statements by hand, for Kysely by type.
import pg from 'pg';
import type { Columns } from './statement.ts';

export type Column = string | null | undefined;

/** T: the values that a check constraint allows. */
export function text<T extends string = string>(column: Column): T {
  return column as T;
}

/** bigint, integer, smallint. Rejects what a number cannot hold exactly. */
export function integer(column: Column): number {
  const value = Number(column);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer from the database is larger than 2^53-1');
  return value;
}

export function bool(column: Column): boolean {
  return column === 't';
}

export function bytes(column: Column): Buffer {
  return Buffer.from((column ?? '').slice(2), 'hex');
}

/** PostgreSQL's OIDs of the types that pg parses. */
const OID = { int8: 20, date: 1082, timestamptz: 1184, byteaArray: 1001, int8Array: 1016, textArray: 1009 };
const parserOf = <T>(oid: number) => pg.types.getTypeParser(oid, 'text') as (text: string) => T;
const parseTimestamp = parserOf<Date>(OID.timestamptz);
const parseByteas = parserOf<Buffer[]>(OID.byteaArray);
const parseIntegers = parserOf<string[]>(OID.int8Array);
const parseTexts = parserOf<string[]>(OID.textArray);

export function timestamp(column: Column): Date {
  return parseTimestamp(column as string);
}

export function texts<T extends string = string>(column: Column): T[] {
  return parseTexts(column as string) as T[];
}

const NO_TEXTS: readonly never[] = [];

/** For nullif(column, '{}') on hot paths: most arrays are empty, and null needs no parsing. */
export function textsOrNone<T extends string = string>(column: Column): readonly T[] {
  return column == null ? NO_TEXTS : texts<T>(column);
}

export function integers(column: Column): number[] {
  return parseIntegers(column as string).map(integer);
}

export function byteas(column: Column): Buffer[] {
  return parseByteas(column as string);
}

export function json<T>(column: Column): T {
  return JSON.parse(column as string);
}

export function nullable<T>(decode: (column: Column) => T): (column: Column) => T | null {
  return (column) => (column == null ? null : decode(column));
}

export function textOrNull<T extends string = string>(column: Column): T | null {
  return column == null ? null : (column as T);
}

export const integerOrNull = nullable(integer);
export const timestampOrNull = nullable(timestamp);

/** Decoders by name, in the order of the columns. */
export type Decoders = Readonly<Record<string, (column: Column) => unknown>>;
export type Decoded<D extends Decoders> = { -readonly [Name in keyof D]: ReturnType<D[Name]> };

/** Decodes a row into an object. Statements on hot paths decode by hand instead. */
export function record<D extends Decoders>(decoders: D): (columns: Columns) => Decoded<D> {
  const entries = Object.entries(decoders);
  return (columns) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < entries.length; index++) {
      const [name, decode] = entries[index] as (typeof entries)[number];
      row[name] = decode(columns[index]);
    }
    return row as Decoded<D>;
  };
}

/** pg's parser for a column of a Kysely query. */
export function parserFor(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === OID.int8) return integer;
  // A date of birth is a calendar day, not an instant: it stays text.
  if (oid === OID.date) return text;
  return pg.types.getTypeParser(oid, format as 'text');
}
