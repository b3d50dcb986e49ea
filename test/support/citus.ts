// Tests on a Citus cluster: TEST_DATABASE_URL is its coordinator, TEST_CITUS_WORKERS names its workers (npm run citus:test).
import pg from 'pg';
import {
  DISTRIBUTED,
  distribute,
  localCopies,
  planDistribution,
  truncateLocalCopies,
} from '../../src/db/citus/distribute.ts';
import { ShardMap } from '../../src/db/citus/shard-map.ts';
import { openDatabase } from '../../src/db/database.ts';
import { waitFor } from './wait.ts';

/** URLs of the workers, as superuser. Empty: the tests run on one PostgreSQL. */
const WORKERS = (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter((url) => url !== '');

export const isOnCluster = WORKERS.length > 0;

/** Options of a test about one PostgreSQL. */
export function notOnCluster(reason: string): { skip: string | false } {
  return { skip: isOnCluster && reason };
}

/** For connections of a test to its database: one shard per worker, of equal ranges. Null: one PostgreSQL. */
export const TEST_SHARDS = isOnCluster ? new ShardMap(WORKERS.map((_, shard) => lowestHash(shard))) : null;

function lowestHash(shard: number): number {
  return -(2 ** 31) + shard * Math.floor(2 ** 32 / WORKERS.length);
}

/** Distributes a new database with the migrated schema, if the tests run on a cluster. */
export async function distributeTestDatabase(url: string): Promise<void> {
  if (!isOnCluster) return;
  await exclusively(() => distributeOverWorkers(url));
}

/** Distributing changes the service's role, which all databases share. */
async function exclusively(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock(1)');
    await work();
  } finally {
    await holder.end();
  }
}

async function distributeOverWorkers(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await Promise.all(
    WORKERS.map(async (worker) => {
      await run(worker, `create database ${name}`);
      await run(onDatabase(worker, name), 'create extension citus');
    }),
  );
  const { hostname, port } = new URL(url);
  await run(url, 'create extension citus', `select citus_set_coordinator_host('${hostname}', ${port})`);
  await run(url, ...WORKERS.map((worker) => `select citus_add_node('127.0.0.1', ${new URL(worker).port})`));
  await distributeTables(url);
}

/** As npm run db:distribute does. The cluster has its workers. */
export async function distributeTables(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, timeouts: { queryMs: 120_000 } });
  try {
    const steps = await planDistribution(database.queries);
    await database.transact((trx) => distribute(trx, steps));
    await truncateLocalCopies(database.queries, await localCopies(database.queries));
  } finally {
    await database.close();
  }
}

const LOCK_WAITERS = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** How many sessions of the database wait for a lock, on all servers. `owner`: not the service's role, which cannot see it. */
export async function lockWaiters(owner: pg.ClientBase): Promise<number> {
  // Inside a transaction, the view shows what it showed first.
  if (!isOnCluster) await owner.query('select pg_stat_clear_snapshot()');
  const onAllServers = `select sum(result::integer) as count from run_command_on_all_nodes($$${LOCK_WAITERS}$$)`;
  const { rows } = await owner.query(isOnCluster ? onAllServers : LOCK_WAITERS);
  return Number(rows[0].count);
}

/** Until its transaction ends, the session joins copies of the distributed tables: Citus refuses most joins of the tables themselves. */
export async function copyDistributedTables(owner: pg.ClientBase): Promise<void> {
  if (!isOnCluster) return;
  for (const [table] of DISTRIBUTED) {
    await owner.query(`create temp table ${table} (like public.${table} including all) on commit drop`);
    await owner.query(`insert into ${table} table public.${table}`);
  }
}

/** Changes rows in a transaction. What Citus refuses is done on copies of the distributed tables, which then replace the rows. */
export async function changeRows(owner: pg.ClientBase, statements: string): Promise<void> {
  try {
    await owner.query(`begin; ${statements}; commit`);
  } catch (error) {
    await owner.query('rollback');
    if (!isOnCluster) throw error;
    await owner.query('begin');
    await copyDistributedTables(owner);
    await owner.query(statements);
    for (const [table] of DISTRIBUTED) {
      await owner.query(`truncate public.${table}; insert into public.${table} table pg_temp.${table}`);
    }
    await owner.query('commit');
  }
}

/** Drops the parts of a database that are on workers. A Citus background process may still connect to one. */
export async function dropOnWorkers(name: string): Promise<void> {
  const drop = (worker: string) =>
    run(worker, `drop database if exists ${name} with (force)`).then(
      () => true,
      (error) => {
        if (error.code !== IN_USE) throw error;
        return false;
      },
    );
  await Promise.all(WORKERS.map((worker) => waitFor(`${name} is dropped`, () => drop(worker))));
}

const IN_USE = '55006';

function onDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: name }).toString();
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
