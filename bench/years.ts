// The scenario of npm run bench:years: CPU time of payments and history pages while the ledger grows, up to 10^8 postings.
// Stops growing when less than a quarter of the disk is free.
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type pg from 'pg';
import { DAY_MS } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';
import { withClient } from './client.ts';
import { costPerRequest } from './cpu-time.ts';
import { createSlots, dropIndexes } from './large-tables.ts';
import type { Load } from './load-job.ts';
import type { Population } from './population.ts';
import { log, origin, print, type Scenario } from './runner.ts';
import type { Bench } from './setup.ts';

const WALLETS = 20_000;
/** Wallets whose pages are read: each has postings all over the two years. */
const READ_WALLETS = 200;
const POSTINGS_EACH = 200;
/** The other postings belong to so many accounts. */
const OTHER_ACCOUNTS = 1_000_000;
const DAYS = 730;
const PER_SLOT = 1_000;
const PAYMENTS = 30_000;
const PAGES = 6_000;

export const scenario: Scenario = {
  usage: `npm run bench:years [-- POSTINGS…]
CPU time of payments and history pages while the ledger grows, by default to 10^6, 10^7 and 10^8 postings.`,
  operands: true,
  async measure([bench], { operands }) {
    const sizes = operands.length > 0 ? operands.map(Number) : [1e6, 1e7, 1e8];
    await withClient(bench.databaseUrl, (client) => measureSizes(bench, client, sizes));
    return null;
  },
};

async function measureSizes(bench: Bench, client: pg.Client, sizes: readonly number[]): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'; set synchronous_commit = off`);
  // Loading logged tables would write everything twice. All sizes are measured on unlogged ones.
  for (const table of ['movements', 'postings']) await client.query(`alter table ${table} set unlogged`);
  const population = await bench.populate(WALLETS);
  await insertPages(client, population.ids.slice(0, READ_WALLETS));
  print(heading(bench));
  let postings = READ_WALLETS * POSTINGS_EACH * 2;
  for (const size of sizes) {
    if (!(await hasSpace())) {
      log(`Less than a quarter of the disk is free: ${size.toExponential(0)} postings are not loaded.`);
      break;
    }
    await grow(client, postings, size);
    postings = size;
    print(await measured(bench, client, size, population));
  }
}

function heading(bench: Bench): string {
  return `# Payments and pages on a growing ledger

${origin('npm run bench:years', bench)}. Microseconds of CPU time, from
the processes' own counters. The tables of movements and postings are unlogged. A page has 50 entries of a wallet with ${POSTINGS_EACH} postings over two years.

| postings | movements and postings, GB | payment: gateway | PostgreSQL | page: gateway | PostgreSQL |
|---|---|---|---|---|---|`;
}

async function measured(
  bench: Bench,
  client: pg.Client,
  size: number,
  { ids, cardSerials }: Population,
): Promise<string> {
  const bytes = `select (pg_total_relation_size('movements') + pg_total_relation_size('postings')) / 1e9 as gb`;
  const { rows } = await client.query(bytes);
  const senders = { senderIds: ids.slice(READ_WALLETS), cardSerials: cardSerials.slice(READ_WALLETS) };
  const payment = await cost(bench, { ...senders, kind: 'p2p', connections: 64, requests: PAYMENTS });
  const paths = ids.slice(0, READ_WALLETS).map((id) => `/api/v1/transactions?subscriber_id=${id}&limit=50`);
  const page = await cost(bench, { paths, kind: 'history', connections: 8, requests: PAGES });
  const figures = [payment.gateway, payment.postgres, page.gateway, page.postgres].map(Math.round).join(' | ');
  return `| ${size.toLocaleString('en')} | ${Number(rows[0].gb).toFixed(2)} | ${figures} |`;
}

async function cost(bench: Bench, load: Load & { requests: number }) {
  await bench.runClosedLoop({ ...load, requests: Math.round(load.requests / 10) });
  const before = await bench.cpuTime();
  await bench.runClosedLoop(load);
  return costPerRequest(before, await bench.cpuTime(), load.requests);
}

async function hasSpace(): Promise<boolean> {
  const { bavail, blocks } = await statfs(tmpdir());
  return bavail > blocks / 4;
}

/** Each wallet pays the next one, at regular intervals. The balances of their accounts are not changed: pages do not read them. */
async function insertPages(client: pg.Client, ids: readonly string[]): Promise<void> {
  const start = Date.now() - DAYS * DAY_MS;
  for (let n = 0; n < POSTINGS_EACH; n++) {
    const at = Math.floor(start + ((n + 0.5) * DAYS * DAY_MS) / POSTINGS_EACH);
    await client.query(
      `with wallets as (select id, n, coalesce(lead(id) over (order by n), $1[1]) as next
          from unnest($1::text[]) with ordinality as all_ids (id, n)),
        paid as (insert into movements (id, type, from_account, to_account, amount, fee, details, at)
          select $2 || lpad(n::text, 16, '0'), 'transfer_p2p', id, next, 100, 0, '{}', to_timestamp($3::bigint / 1000.0) from wallets)
      insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
      select side.account, $3::bigint * 1000 + side.n, $2 || lpad(wallets.n::text, 16, '0'), side.amount, 0, 0 from wallets
      cross join lateral (values (id, -100, 0), (next, 100, 1)) as side (account, amount, n)`,
      [ids, firstIdAt('txn', at), at],
    );
  }
}

/** Adds postings of other accounts, spread over the two years, in the order of time. */
async function grow(client: pg.Client, from: number, to: number): Promise<void> {
  const startedAt = performance.now();
  const movements = Math.max(0, Math.floor((to - from) / 2));
  await createSlots(client, Math.ceil(movements / PER_SLOT), DAYS);
  const tables = ['movements', 'postings'];
  const rebuild = await dropIndexes(client, tables);
  const row = `from generate_series(0, ${movements - 1}) n join (select slot, ms, txn from bench_slots) slots on slot = n / ${PER_SLOT}
    cross join lateral (select slots.txn || upper(left(md5('${to}' || n::text), 16)) as id,
      ms + n % ${PER_SLOT} as at, 'sub_' || lpad((abs(hashint4(n) / 2) % ${OTHER_ACCOUNTS})::text, 26, '0') as payer,
      'sub_' || lpad((abs(hashint4(n + 7) / 2) % ${OTHER_ACCOUNTS})::text, 26, '0') || 'r' as payee) movement`;
  await client.query(`insert into movements (id, type, from_account, to_account, amount, fee, request_id, details, at, actor_type, actor_id, batch)
    select id, 'transfer_p2p', payer, payee, 100 + n % 5000, 0, 'req-' || n, '{}', to_timestamp(at / 1000.0), 'key', 'key_bench', n / 50 ${row}`);
  await client.query(`insert into postings (account_id, seq, movement_id, amount, fee, balance_after)
    select side.account, at * 1000 + ${Math.log10(to)}::integer, id, side.sign * (100 + n % 5000), 0, 1000000 ${row}
    cross join lateral (values (payer, -1), (payee, 1)) as side (account, sign)`);
  log(`${to.toLocaleString('en')} postings inserted after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  for (const table of tables) await rebuild(client, table);
  await client.query('vacuum analyze movements, postings');
  await client.query('checkpoint');
  log(`${to.toLocaleString('en')} postings indexed after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
}
