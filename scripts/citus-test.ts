// npm run citus:test -- FILE…: runs test files on a Citus cluster of a coordinator and two workers. Exits with their code, or
// with 1 if Citus is not installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.ts';
import { findCitus, startNodes } from './drill/citus-cluster.ts';
import { print, runDrill, type Sandbox } from './drill/sandbox.ts';

const WORKERS = 2;
/** The data is deleted after the run. Every database has a background process on each server. */
const SETTINGS = [
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  'max_connections = 400',
  'max_worker_processes = 100',
].join('\n');

const { operands: files } = readArguments({
  usage: `npm run citus:test -- FILE…
Runs test files on a Citus cluster in a temporary directory. Fails where Citus is not installed.`,
  failure: 'The tests were not started',
  failureCode: 1,
  operands: true,
});
const bin = await findCitus();
if (bin === null) {
  print('No test ran: the extension citus is not installed for PostgreSQL.');
  process.exitCode = 1;
} else await runDrill('citus-test', (sandbox) => run(sandbox, bin));

async function run(sandbox: Sandbox, bin: string): Promise<void> {
  const { coordinator, workers } = await startNodes(sandbox, bin, WORKERS, SETTINGS);
  const env = {
    ...process.env,
    TEST_DATABASE_URL: coordinator.superuserUrl,
    TEST_CITUS_WORKERS: workers.map(({ superuserUrl }) => superuserUrl).join(),
  };
  const runner = fileURLToPath(new URL('../test/run.ts', import.meta.url));
  const tests = spawn(process.execPath, [runner, ...files], { env, stdio: 'inherit' });
  const [code] = (await once(tests, 'close')) as [number | null];
  process.exitCode = code ?? 1;
}
