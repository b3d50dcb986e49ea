// The PostgreSQL server of a test run: the one in TEST_DATABASE_URL, or an embedded one; and the template database.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { migrate } from '../../src/db/schema/migrate.ts';

export interface TestServer {
  /** What the test files need to reach it (test/support/database.ts). */
  env: { TEST_DATABASE_URL: string; TEST_TEMPLATE: string };
  stop(): Promise<void>;
}

export async function startTestServer(dataDir: string): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startEmbedded(dataDir);
  // A given server may serve several runs at a time. Every database of this run has a name that begins with this one.
  const template = `kissi_test_${randomBytes(4).toString('hex')}`;
  await query(server.url, `create database ${template}`);
  await migrate(Object.assign(new URL(server.url), { pathname: template }).toString());
  return {
    env: { TEST_DATABASE_URL: server.url, TEST_TEMPLATE: template },
    async stop() {
      if (given) await dropDatabases(server.url, template);
      await server.stop();
    },
  };
}

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES = 8 * 2 ** 30;

/**
 * A new folder in memory for the data of the server, or null where there is none or it is small. Each test file creates
 * and drops a database of 300 files: on a disk that takes three times the CPU time.
 */
export async function memoryFolder(): Promise<string | null> {
  const space = await statfs(MEMORY_FOLDER).catch(() => null);
  const freeBytes = Math.min(space ? space.bavail * space.bsize : 0, process.availableMemory());
  if (freeBytes < MEMORY_BYTES) return null;
  const folder = await mkdtemp(join(MEMORY_FOLDER, 'kissi-test-')).catch(() => null);
  // PostgreSQL runs as another user if root runs the tests.
  if (folder) await chmod(folder, 0o755);
  return folder;
}

async function startEmbedded(dataDir: string) {
  await mkdir(dataDir, 0o755);
  return startEmbeddedServer({
    dataDir,
    // The data is deleted after the run. Tests of durability start their own server.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    report: ({ level, message }) => void (level === 'error' && process.stderr.write(`${message}\n`)),
  });
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const found = await query(url, `select datname from pg_database where starts_with(datname, '${prefix}')`);
  for (const { datname } of found) await query(url, `drop database ${datname} with (force)`);
}

async function query(url: string, statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
