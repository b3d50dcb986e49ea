// Reference for the payment benchmarks: TPC-B-like transactions with the service's driver, and pgbench if installed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';
import { withClient } from './client.ts';
import type { Sample } from './interleave.ts';

const BRANCHES = 32;
const TELLERS = BRANCHES * 10;
const ACCOUNTS = BRANCHES * 10_000;

const random = (below: number) => 1 + Math.floor(Math.random() * below);

export async function prepareTpcb(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`
    create table pgbench_branches (bid int primary key, bbalance int, filler char(88)) with (fillfactor = 50);
    create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84)) with (fillfactor = 50);
    create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84));
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into pgbench_branches select n, 0 from generate_series(1, ${BRANCHES}) n;
    insert into pgbench_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${TELLERS}) n;
    insert into pgbench_accounts select n, (n - 1) / 10000 + 1, 0 from generate_series(1, ${ACCOUNTS}) n;`);
    for (const table of ['branches', 'tellers', 'accounts']) await client.query(`vacuum analyze pgbench_${table}`);
  });
}

export async function tpcb(url: string, connections: number, seconds: number): Promise<Sample> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1_000;
  await Promise.all(Array.from({ length: connections }, () => worker(url, deadline, latencies)));
  const elapsed = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  const p50 = latencies[latencies.length >> 1] ?? Number.NaN;
  return { requests: latencies.length, perSecond: Math.round(latencies.length / elapsed), p50 };
}

async function worker(url: string, deadline: number, latencies: number[]): Promise<void> {
  await withClient(url, async (client) => {
    while (performance.now() < deadline) {
      const startedAt = performance.now();
      await transaction(client);
      latencies.push(performance.now() - startedAt);
    }
  });
}

async function transaction(client: pg.Client): Promise<void> {
  const delta = random(10_000) - 5_000;
  const [aid, tid, bid] = [random(ACCOUNTS), random(TELLERS), random(BRANCHES)];
  const run = (name: string, text: string, values: number[]) => client.query({ name, text, values });
  await client.query('begin');
  await run('a', 'update pgbench_accounts set abalance = abalance + $1 where aid = $2', [delta, aid]);
  await run('s', 'select abalance from pgbench_accounts where aid = $1', [aid]);
  await run('t', 'update pgbench_tellers set tbalance = tbalance + $1 where tid = $2', [delta, tid]);
  await run('b', 'update pgbench_branches set bbalance = bbalance + $1 where bid = $2', [delta, bid]);
  await run('h', 'insert into pgbench_history values ($1, $2, $3, $4, current_timestamp)', [tid, bid, aid, delta]);
  await client.query('commit');
}

/** Measures throughput only; null if pgbench is not installed. */
export async function pgbench(url: string, clients: number, seconds: number): Promise<Sample | null> {
  const database = new URL(url);
  const env = {
    ...process.env,
    PGHOST: database.searchParams.get('host') ?? database.hostname,
    PGPORT: database.port,
    PGUSER: database.username,
    PGPASSWORD: decodeURIComponent(database.password),
  };
  const args = `-n -M prepared -s ${BRANCHES} -c ${clients} -j 2 -T ${seconds} ${database.pathname.slice(1)}`.split(
    ' ',
  );
  try {
    // pgbench's built-in script assumes 100,000 accounts per branch. Ours have 10,000, so it gets a custom script.
    const { stdout } = await promisify(execFile)(
      'pgbench',
      ['-f', new URL('./tpcb.sql', import.meta.url).pathname, ...args],
      { env },
    );
    const read = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
    const requests = read(/transactions actually processed: (\d+)/);
    return { requests, perSecond: Math.round(read(/tps = ([\d.]+)/)), p50: Number.NaN };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
