// The scenario of npm run bench:years: what payments and history pages cost while the ledger grows, up to 10^8 postings, with
// the write-ahead log that payments write. Stops growing when the disk has no more space.
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type pg from 'pg';
import { withClient } from './client.ts';
import { costPerRequest } from './cpu-time.ts';
import type { Load } from './load-job.ts';
import type { Population } from './population.ts';
import { compareKeys } from './posting-keys.ts';
import { log, origin, print, type Scenario, table } from './runner.ts';
import type { Bench } from './setup.ts';
import { type Meter, startMeter } from './wal.ts';
import { createWallets, grow, insertPages, PAGE_POSTINGS, POSTINGS_WITH_MOVEMENTS } from './years-data.ts';

const WALLETS = 200_000;
/** Wallets whose pages are read: each has postings all over the two years. */
const READ_WALLETS = 200;
const PAGES = 6_000;
const CONNECTIONS = 128;
/** Right after a checkpoint, and altogether until the next setting is measured. */
const FIRST = 20_000;
const ALL = 120_000;
const MAX_WAL_SIZES = ['2GB', '16GB'];
/** With what loading needs for a while: the log, and files for sorting. */
const BYTES_PER_POSTING = 450;
const METHODS = ['off', 'pglz', 'lz4'];

export const scenario: Scenario = {
  usage: `npm run bench:years [-- POSTINGS…]
What payments and history pages cost while the ledger grows, by default to 10^6, 10^7 and 10^8 postings.`,
  operands: true,
  async measure([bench], { operands }) {
    const sizes = operands.length > 0 ? operands.map(Number) : [1e6, 1e7, 1e8];
    await withClient(bench.databaseUrl, (client) => measureSizes(bench, client, sizes));
    return null;
  },
};

async function measureSizes(bench: Bench, client: pg.Client, sizes: readonly number[]): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off`);
  await client.query('create extension if not exists pg_walinspect');
  const population = await bench.populate(WALLETS);
  await createWallets(client, population.ids);
  await insertPages(client, population.ids.slice(0, READ_WALLETS));
  print(heading(bench));
  let postings = READ_WALLETS * PAGE_POSTINGS * 2;
  for (const size of sizes) {
    if (!(await hasSpace((size - postings) * BYTES_PER_POSTING))) {
      log(`The disk has no space for ${size.toExponential(0)} postings.`);
      break;
    }
    await configure(client, UNCOMPRESSED);
    await grow(client, postings, size);
    postings = size;
    print(await measured(bench, client, size, population));
  }
}

function heading(bench: Bench): string {
  return `# Payments and pages on a growing ledger

${origin('npm run bench:years', bench)}. Microseconds of CPU time are from
the processes' own counters. All tables are logged. The postings belong to ${WALLETS.toLocaleString('en')} wallets, all of which pay and are paid, in random
order, with UUIDs as request ids; a quarter of a year's requests are kept. The indexes of postings and requests are filled to 70 %, as random
inserts leave them. Each setting begins with a checkpoint: *first* are the ${FIRST.toLocaleString('en')} payments after it, *all* are ${ALL.toLocaleString('en')}, with the
checkpoints that \`max_wal_size\` starts among them. A page has 50 entries of a wallet with ${PAGE_POSTINGS} postings over two years.
Movements are loaded up to ${POSTINGS_WITH_MOVEMENTS.toLocaleString('en')} postings: their key is in the order of time, so a payment touches only its end. Pages are read up to there.`;
}

async function measured(bench: Bench, client: pg.Client, size: number, population: Population): Promise<string> {
  const ids = population.ids.slice(READ_WALLETS);
  const payers = { ids, cardSerials: population.cardSerials.slice(READ_WALLETS) };
  const gigabytes = await readGigabytes(client);
  await bench.runClosedLoop(payments(payers, 0, FIRST / 4));
  const rows: string[][] = [];
  let pages = '';
  for (const setting of await settings(client)) {
    const { row, images } = await measureSetting(bench, client, setting, payers);
    rows.push(row);
    log(row.join(' | '));
    pages ||= images;
  }
  const page = size <= POSTINGS_WITH_MOVEMENTS ? await pageCost(bench, population.ids.slice(0, READ_WALLETS)) : '';
  await configure(client, UNCOMPRESSED);
  const columns = ['wal_compression', 'max_wal_size', 'gateway, µs', 'PostgreSQL, µs: first', 'all'];
  return `
## ${size.toLocaleString('en')} postings

The postings take ${gigabytes} GB.${page}

${table([...columns, 'log per payment, kB: first', 'all', 'page images per payment: first', 'all', 'payments/s'], rows)}

Page images per payment, first, by relation: ${pages}.

${await compareKeys(client)}`;
}

interface Setting {
  wal_compression: string;
  max_wal_size: string;
}

const UNCOMPRESSED: Setting = { wal_compression: 'off', max_wal_size: '4GB' };

async function settings(client: pg.Client): Promise<Setting[]> {
  const { rows } = await client.query(`select enumvals from pg_settings where name = 'wal_compression'`);
  const methods = METHODS.filter((method) => rows[0].enumvals.includes(method));
  return MAX_WAL_SIZES.flatMap((max_wal_size) => methods.map((wal_compression) => ({ wal_compression, max_wal_size })));
}

async function configure(client: pg.Client, setting: Setting): Promise<void> {
  for (const [name, value] of Object.entries(setting)) await client.query(`alter system set ${name} = '${value}'`);
  await client.query('select pg_reload_conf()');
  await client.query('checkpoint');
}

async function measureSetting(bench: Bench, client: pg.Client, setting: Setting, payers: Population) {
  await configure(client, setting);
  const meter = await startMeter(client);
  const before = await bench.cpuTime();
  await bench.runClosedLoop(payments(payers, 0, FIRST));
  const first = { ...costPerRequest(before, await bench.cpuTime(), FIRST), ...(await meter.read(FIRST)) };
  const images = await meter.imagesByRelation(FIRST);
  const resumed = await bench.cpuTime();
  const { perSecond, errors } = await bench.runClosedLoop(payments(payers, FIRST, ALL - FIRST));
  if (errors > 0) throw new Error(`${errors} payments failed`);
  const rest = costPerRequest(resumed, await bench.cpuTime(), ALL - FIRST);
  const all: Awaited<ReturnType<Meter['read']>> = await meter.read(ALL);
  const postgres = (first.postgres * FIRST + rest.postgres * (ALL - FIRST)) / ALL;
  const row = [
    setting.wal_compression,
    setting.max_wal_size,
    ...[rest.gateway, first.postgres, postgres].map((micros) => micros.toFixed(0)),
    ...[first.bytes, all.bytes].map((bytes) => (bytes / 1_000).toFixed(1)),
    ...[first.images, all.images].map((images) => images.toFixed(2)),
    perSecond.toFixed(0),
  ];
  return { row, images };
}

/** `from` moves on in the list of wallets, so that a second run does not repeat the payments of the first. */
function payments({ ids, cardSerials }: Population, from: number, requests: number): Load {
  const rotated = <T>(all: readonly T[]) => [...all.slice(from), ...all.slice(0, from)];
  const parties = { senderIds: rotated(ids), cardSerials: rotated(cardSerials) };
  return { ...parties, kind: 'p2p', randomIds: true, connections: CONNECTIONS, requests };
}

async function pageCost(bench: Bench, ids: readonly string[]): Promise<string> {
  const paths = ids.map((id) => `/api/v1/transactions?subscriber_id=${id}&limit=50`);
  const load = { paths, kind: 'history', connections: 8 } as const;
  await bench.runClosedLoop({ ...load, requests: PAGES / 10 });
  const before = await bench.cpuTime();
  await bench.runClosedLoop({ ...load, requests: PAGES });
  const { gateway, postgres } = costPerRequest(before, await bench.cpuTime(), PAGES);
  return ` A page costs ${Math.round(gateway)} µs in the gateway and ${Math.round(postgres)} µs in PostgreSQL.`;
}

async function readGigabytes(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`select pg_total_relation_size('postings') / 1e9 as gb`);
  return Number(rows[0].gb).toFixed(1);
}

async function hasSpace(bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize > bytes;
}
