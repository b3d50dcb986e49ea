// Runs all tests (or the files named): starts a PostgreSQL of their own, prepares the template, runs them in parallel.
import { spawn } from 'node:child_process';
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { migrate } from '../src/db/schema/migrate.ts';
import { databaseUrl, TEMPLATE } from './support/database.ts';

const PATTERNS = ['src/**/*.test.ts', 'test/**/*.test.ts'];

const dataDir = await mkdtemp(join(tmpdir(), 'kissi-test-'));
// As root PostgreSQL runs as somebody else, who must be able to enter.
await chmod(dataDir, 0o755);
// Its data is thrown away: durability is tested by the tests that start servers of their own.
const server = await startEmbeddedServer({
  dataDir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  report: ({ level, message }) => void (level === 'error' && process.stderr.write(`${message}\n`)),
});
process.env.TEST_DATABASE_URL = server.url;

let exitCode = 1;
try {
  await prepareTemplate();
  exitCode = await runTests(process.argv.slice(2));
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(exitCode);

async function prepareTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate(databaseUrl(TEMPLATE));
}

async function runTests(named: string[]): Promise<number> {
  const files = named.length > 0 ? named : (await Array.fromAsync(glob(PATTERNS))).sort();
  // Each file is a process of its own; what the first ones compiled, the others need not.
  process.env.NODE_COMPILE_CACHE ??= join(dataDir, 'compiled');
  // One more than there are processors: many tests wait for a process to start or to end.
  const concurrency = `--test-concurrency=${availableParallelism() + 1}`;
  const child = spawn(process.execPath, ['--test', concurrency, '--test-reporter=spec', ...files], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
