// Measures the write-ahead log: its bytes, and the images of whole pages that the first change after a checkpoint writes.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

export interface Meter {
  /** Bytes and page images per request since the start. */
  read(requests: number): Promise<{ bytes: number; images: number }>;
  /** Page images per request since the start, by table or index, as text. Needs pg_walinspect, and no checkpoint since. */
  imagesByRelation(requests: number): Promise<string>;
}

/** Sessions report their counters once per second at most. */
const REPORTED_AFTER_MS = 1_500;
const COUNTERS = `select pg_current_wal_insert_lsn() as lsn, wal_bytes, wal_fpi from pg_stat_wal`;

export async function startMeter(client: pg.Client): Promise<Meter> {
  const counters = async () => {
    await client.query('select pg_stat_force_next_flush()');
    await sleep(REPORTED_AFTER_MS);
    const { rows } = await client.query<{ lsn: string; wal_bytes: string; wal_fpi: string }>(COUNTERS);
    return rows[0] as (typeof rows)[0];
  };
  const start = await counters();
  return {
    async read(requests) {
      const now = await counters();
      return {
        bytes: (Number(now.wal_bytes) - Number(start.wal_bytes)) / requests,
        images: (Number(now.wal_fpi) - Number(start.wal_fpi)) / requests,
      };
    },
    async imagesByRelation(requests) {
      const { rows } = await client.query(
        `select coalesce(relname, 'other') as name, count(*) as images, avg(block_fpi_length) as bytes
        from pg_get_wal_block_info($1, pg_current_wal_flush_lsn(), false) block left join pg_class
          on pg_relation_filenode(pg_class.oid) = block.relfilenode where block_fpi_length > 0 and relforknumber = 0
        group by 1 having count(*) > $2 order by 2 desc`,
        [start.lsn, requests / 100],
      );
      const part = (row: (typeof rows)[0]) =>
        `${row.name} ${(row.images / requests).toFixed(2)} of ${(row.bytes / 1_000).toFixed(1)} kB`;
      return rows.map(part).join(', ');
    },
  };
}
