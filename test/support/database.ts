// Creates a database per test file, cloned from the migrated template of the runner (test/runner/postgres.ts).
import { randomBytes } from 'node:crypto';
import type { NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, type DatabaseTimeouts, openDatabase } from '../../src/db/database.ts';
import type { ConnectionPool } from '../../src/db/driver/pool.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { distributeTestDatabase, dropOnWorkers, isOnCluster, TEST_SHARDS } from './citus.ts';

/** A loaded machine is twenty times slower: no test reaches these limits by accident. */
export const LONG_TIMEOUTS: DatabaseTimeouts = {
  connectMs: 60_000,
  probeMs: 60_000,
  queryMs: 120_000,
  statementMs: 120_000,
  idleInTransactionMs: 120_000,
};

export interface TestDatabase {
  url: string;
  /** Connected with the service's role, kissi_app. */
  database: Database;
  /** Raw SQL, in the service's role. */
  query: pg.Pool['query'];
  close(): Promise<void>;
}

/** URL of the given database on the test server. */
export function databaseUrl(name: string): string {
  const base = process.env.TEST_DATABASE_URL;
  if (!base) throw new Error('TEST_DATABASE_URL is unset: run the tests with npm test');
  return Object.assign(new URL(base), { pathname: name }).toString();
}

/** Where the server listens, for a proxy: a socket of the embedded server, or a port. */
export function serverAddress(url: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  return folder ? { path: join(folder, '.s.PGSQL.5432') } : { host: hostname, port: Number(port || 5432) };
}

/** The pg pool behind a pool of the service, for raw SQL and for faults. */
export function pgPool(pool: ConnectionPool): pg.Pool {
  return (pool as unknown as { pool: pg.Pool }).pool;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createDatabase(template = process.env.TEST_TEMPLATE): Promise<string> {
  const name = `${process.env.TEST_TEMPLATE}_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  return name;
}

/** Two databases with the contents of this one, which is dropped. No gateway may be open on it. */
export async function twins(source: TestDatabase): Promise<[TestDatabase, TestDatabase]> {
  await source.database.close();
  const template = new URL(source.url).pathname.slice(1);
  const copies: [TestDatabase, TestDatabase] = [await testDatabase({}, template), await testDatabase({}, template)];
  await administer(`drop database ${template} with (force)`);
  return copies;
}

/** `limits`: timeouts that the tests are about. */
export async function testDatabase(
  limits: Partial<DatabaseTimeouts> = {},
  template = process.env.TEST_TEMPLATE,
  isTraced = false,
): Promise<TestDatabase> {
  const name = await createDatabase(template);
  const url = databaseUrl(name);
  await distributeTestDatabase(url);
  const timeouts = { ...LONG_TIMEOUTS, ...limits };
  const database = openDatabase({ url, poolSize: 20, role: APP_ROLE, timeouts, shards: TEST_SHARDS, isTraced });
  const pool = pgPool(database.pool);
  return {
    url,
    database,
    query: pool.query.bind(pool),
    async close() {
      await database.close();
      await administer(`drop database ${name} with (force)`);
      await dropOnWorkers(name);
    },
  };
}

/** The ledger's tables that a copy has. */
const COPIED = ['accounts', 'movements', 'postings', 'requests', 'allowances', 'account_checkpoints', 'seals'];

/** The ledger in one PostgreSQL, for statements that a cluster refuses: the database itself, or a copy if it is distributed. */
export async function undistributed({ url }: TestDatabase): Promise<{ url: string; close(): Promise<void> }> {
  if (!isOnCluster) return { url, close: async () => undefined };
  const name = await createDatabase();
  const copy = databaseUrl(name);
  const clients = [url, copy].map((connectionString) => new pg.Client({ connectionString }));
  const [source, target] = clients as [pg.Client, pg.Client];
  await Promise.all(clients.map((client) => client.connect()));
  for (const table of COPIED) {
    const { rows } = await source.query(
      `with t as materialized (select * from ${table}) select coalesce(json_agg(t), '[]')::text as rows from t`,
    );
    await target.query(`truncate ${table}`);
    await target.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      rows[0].rows,
    ]);
  }
  await Promise.all(clients.map((client) => client.end()));
  return { url: copy, close: () => administer(`drop database ${name} with (force)`) };
}
