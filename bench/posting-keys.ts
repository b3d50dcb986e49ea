// Compares keys of postings: what the same inserts write to the log with today's key, in a partition of the last
// month or week, and in a table whose key is in the order of time.
import type pg from 'pg';
import { DAY_MS } from '../src/kernel/clock.ts';
import { table } from './runner.ts';
import { startMeter } from './wal.ts';

const BATCH = 56;
const BATCHES = 360;
const COLUMNS = 'account_id, seq, movement_id, amount, fee, balance_after';

/** The newest rows of postings: the partition that new ones would enter. Null: all of them. */
const VARIANTS = [
  { name: '(account_id, seq), one table', days: null, key: '' },
  { name: '(account_id, seq), partition of 30 days', days: 30, key: 'account_id, seq' },
  { name: '(account_id, seq), partition of 7 days', days: 7, key: 'account_id, seq' },
  { name: '(seq, account_id)', days: 0, key: 'seq, account_id' },
];

/** Today's key is measured on the table postings itself. */
export async function compareKeys(client: pg.Client): Promise<string> {
  const rows: string[][] = [];
  for (const { name, days, key } of VARIANTS) {
    if (days !== null) await copyNewest(client, days, key);
    await client.query('checkpoint');
    rows.push([name, ...(await insertBatches(client, days === null ? 'postings' : 'bench_postings'))]);
  }
  await client.query('drop table bench_postings');
  const columns = ['key of postings', 'log per payment, kB', 'page images', 'time, µs'];
  return `Only the postings of ${(BATCH * BATCHES).toLocaleString('en')} payments, ${BATCH} at a time, after a checkpoint:

${table(columns, rows)}`;
}

async function copyNewest(client: pg.Client, days: number, key: string): Promise<void> {
  const newest = (Date.now() - days * DAY_MS) * 1_000;
  await client.query('drop table if exists bench_postings');
  await client.query('create table bench_postings (like postings)');
  await client.query(`insert into bench_postings select * from postings where seq > ${newest} and ${days} > 0`);
  await client.query(`alter table bench_postings add primary key (${key}) with (fillfactor = 70)`);
  await client.query('vacuum analyze bench_postings');
}

async function insertBatches(client: pg.Client, into: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from bench_wallets order by random() limit 100000');
  const wallets = rows.map(({ id }) => id);
  const meter = await startMeter(client);
  const startedAt = performance.now();
  for (let n = 0; n < BATCHES; n++) {
    const seq = (Date.now() + DAY_MS) * 1_000 + n * 2 * BATCH;
    const accounts = wallets.slice(n * 2 * BATCH, (n + 1) * 2 * BATCH);
    await client.query(
      `insert into ${into} (${COLUMNS}) select id, $2::bigint + n, 'txn_01KADXW0000000000000000000', 100, 0, 100
      from unnest($1::text[]) with ordinality as new (id, n)`,
      [accounts, seq],
    );
  }
  const micros = ((performance.now() - startedAt) * 1_000) / (BATCH * BATCHES);
  const { bytes, images } = await meter.read(BATCH * BATCHES);
  return [(bytes / 1_000).toFixed(2), images.toFixed(2), micros.toFixed(0)];
}
