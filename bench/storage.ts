// Storage per payment: bytes in each table, including its indexes, and in the write-ahead log.
import { withClient } from './client.ts';
import type { Load } from './load-job.ts';
import type { Bench } from './setup.ts';

/** Bytes per payment. */
export interface Storage {
  tables: { name: string; bytes: number }[];
  wal: number;
  /** Number of payments measured. */
  payments: number;
}

const PAYMENTS = 40_000;
// The tables that a payment adds rows to. Accounts and rollups are updated: they grow with wallets and days instead.
const TABLES = ['movements', 'postings', 'requests', 'seals'];

/** Table sizes are whole pages, so a figure per payment needs many payments. */
export async function measureStorage(bench: Bench, load: Load, payments = PAYMENTS): Promise<Storage> {
  const before = await readSizes(bench.databaseUrl);
  const { requests } = await bench.runClosedLoop({ ...load, connections: 128, requests: payments });
  const after = await readSizes(bench.databaseUrl);
  const grown = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / requests;
  return { tables: TABLES.map((name) => ({ name, bytes: grown(name) })), wal: grown('wal'), payments: requests };
}

async function readSizes(url: string): Promise<Map<string, number>> {
  const text = `select name, pg_total_relation_size(name::regclass) as bytes from unnest($1::text[]) as t (name)
     union all select 'wal', pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`;
  const { rows } = await withClient(url, (client) => client.query<{ name: string; bytes: string }>(text, [TABLES]));
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
