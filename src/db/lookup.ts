// Rows by a unique column: look-ups that arrive together travel together.

import { batchLoader, type Load } from './batch-loader.ts';
import { textArray } from './driver/binary-arrays.ts';
import type { Reader } from './driver/reader.ts';

export interface Lookup {
  /** What the statement is prepared under; no two have the same. */
  name: string;
  table: string;
  columns: readonly string[] | '*';
  /** With a unique index. */
  column: string;
}

/** Lateral with a limit: only an index can serve it, whatever the planner believed when the table was empty. */
export function lookupSql({ table, columns, column }: Omit<Lookup, 'name'>): string {
  return `select asked.key as asked_for, found.* from unnest($1::text[]) as asked (key) cross join lateral (
    select ${columns === '*' ? '*' : columns.join(', ')} from ${table} where ${column} = asked.key limit 1) found`;
}

export function lookup<Row extends object>(reader: Reader, wanted: Lookup): Load<string, Row | null> {
  const { name } = wanted;
  const text = lookupSql(wanted);
  return batchLoader({
    async fetch(keys: string[]) {
      const values = [textArray([...new Set(keys)])];
      const { rows } = await reader.query<Row & { asked_for: string }>({ name, text, values });
      const found = new Map(rows.map(({ asked_for, ...row }) => [asked_for, row as unknown as Row]));
      return keys.map((key) => found.get(key) ?? null);
    },
  });
}
