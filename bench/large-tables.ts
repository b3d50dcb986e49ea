// Fills tables with many rows for benchmarks: instants in the past, and indexes that are built once, at the end.
import type pg from 'pg';
import { DAY_MS } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';

/** The table bench_slots: so many instants over the last days, each with the time part of ids. */
export async function createSlots(client: pg.Client, count: number, days: number): Promise<void> {
  const start = Date.now() - days * DAY_MS;
  const times = Array.from({ length: count }, (_, slot) => Math.floor(start + (slot * days * DAY_MS) / count));
  await client.query('drop table if exists bench_slots');
  await client.query('create unlogged table bench_slots (slot integer, ms bigint, at timestamptz, txn text, inb text)');
  await client.query(
    `insert into bench_slots select slot - 1, ms, to_timestamp(ms / 1000.0), txn, inb
    from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as slots (ms, txn, inb, slot)`,
    [times, times.map((ms) => firstIdAt('txn', ms)), times.map((ms) => firstIdAt('inb', ms))],
  );
  await client.query('analyze bench_slots');
}

/** Loads faster, with the same plans. Tables that others reference cannot be unlogged. */
export async function setUnlogged(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) await client.query(`alter table ${table} set unlogged`);
}

/**
 * Building an index once, at the end, is much faster. Tables that others reference keep their constraints. Returns what builds
 * the indexes of a table again.
 */
export async function dropIndexes(client: pg.Client, tables: readonly string[]) {
  const { rows } = await client.query(
    `select i.indrelid::regclass::text as table, c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisprimary
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid::regclass::text = any($1)
      and (i.indrelid <> 'subscribers'::regclass or not exists (select from pg_constraint where conindid = i.indexrelid))`,
    [tables],
  );
  for (const { table, name, indisprimary } of rows) {
    await client.query(indisprimary ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`);
  }
  return async (builder: pg.Client, table: string) => {
    for (const { name, definition, indisprimary } of rows.filter((row) => row.table === table)) {
      await builder.query(definition);
      if (indisprimary) {
        await builder.query(`alter table ${table} add constraint ${name} primary key using index ${name}`);
      }
    }
  };
}
