// Runs the tests: `node test/run.ts [--tier=unit|slow|all] [files or options of node]`. CONTRIBUTING.md describes the tiers.
import { chmod, glob, mkdtemp, realpath } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownFolder, runGuarded } from '@kissi/testkit/guard';
import { removeFolder } from '@kissi/testkit/leftovers';
import { killFiles, runFile } from './runner/file.ts';
import { memoryFolder, startTestServer, type TestServer } from './runner/postgres.ts';
import type { FileResult } from './runner/results.ts';
import { SharedProcess } from './runner/shared-process.ts';
import { printFile, printTotals } from './runner/summary.ts';
import { isTool, runTool, TOOLS, type ToolName } from './runner/tools.ts';
import { ALONE, FIRST, sharesProcess, TEST_FILES, type Tier, tiersOf } from './tiers.ts';

/** Limits for tests that hang; high enough for a machine under load, which can be twenty times slower. */
const SCALE = Number(process.env.TEST_TIMEOUT_SCALE ?? 1);
const LIMITS = { testMs: 300_000 * SCALE, fileMs: 1_800_000 * SCALE };
/** One more than there are processors: many tests wait for a process to start or to end. */
const CONCURRENCY = availableParallelism() + 1;

const begun = performance.now();
const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const tier = args.find((arg) => arg.startsWith('--tier='))?.slice('--tier='.length) ?? 'default';
const options = args.filter((arg) => arg.startsWith('--') && !arg.startsWith('--tier='));
const TIERS: Record<string, Tier[]> = {
  unit: ['unit'],
  default: ['unit', 'standard'],
  slow: ['slow'],
  all: ['unit', 'standard', 'slow'],
};
const tiers = TIERS[tier];
if (!tiers) throw new Error(`There is no tier ${tier}.`);

const files = named.length > 0 ? [...new Set(named)] : await filesOf(tiers);
const tools = named.length > 0 || !tiers.includes('standard') ? [] : (Object.keys(TOOLS) as ToolName[]);
// Compiled code is kept from run to run; node_modules is ignored by git and removed by npm ci.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');
process.env.TEST_LOGS ??= tmpdir();

const folder = await realpath(await mkdtemp(join(tmpdir(), 'kissi-test-')));
// PostgreSQL runs as another user if root runs the tests.
await chmod(folder, 0o755);
const needsServer = files.some((path) => !tiersOf(path).includes('unit'));
const serverFolder = (needsServer && !process.env.TEST_DATABASE_URL && (await memoryFolder())) || folder;
let server: TestServer | undefined;
const passed = await runGuarded(run, tearDown);
process.exit(passed ? 0 : 1);

async function run(): Promise<boolean> {
  ownFolder(folder);
  ownFolder(serverFolder);
  try {
    if (needsServer) server = await startTestServer(join(serverFolder, 'server'));
    return printTotals(await runTests(), (performance.now() - begun) / 1_000);
  } finally {
    await tearDown();
  }
}

async function filesOf(tiers: Tier[]): Promise<string[]> {
  const all = (await Array.fromAsync(glob(TEST_FILES, { exclude: ['**/node_modules/**'] }))).sort();
  const chosen = all.filter((path) => tiersOf(path).some((one) => tiers.includes(one)));
  return [...FIRST.filter((path) => chosen.includes(path)), ...chosen.filter((path) => !FIRST.includes(path))];
}

async function runTests(): Promise<FileResult[]> {
  const isLive = files.length === 1 && tools.length === 0;
  const results: FileResult[] = [];
  const add = (result: FileResult) => {
    results.push(result);
    if (!isLive) printFile(result);
  };
  const env = { ...process.env, ...server?.env };
  // A short name: the path of a Unix socket inside it is limited to about 100 bytes.
  const folderOf = (path: string) => join(folder, String(files.indexOf(path)));
  const together = [...tools, ...files.filter((path) => !ALONE.includes(path))].values();

  /** Takes one tool or file after another; files that may share a process share one per slot. */
  async function runSlot(paths: Iterator<string>): Promise<void> {
    let shared: SharedProcess | undefined;
    const endShared = async () => {
      const failure = await shared?.stop();
      if (failure) add(failure);
      shared = undefined;
    };
    for (let next = paths.next(); !next.done; next = paths.next()) {
      const path = next.value;
      if (isTool(path)) add(await runTool(path));
      else if (isLive || options.length > 0 || !sharesProcess(path)) {
        add(await runFile({ path, options, limits: LIMITS, isLive, folder: folderOf(path), env }));
      } else {
        shared ??= new SharedProcess({ limits: LIMITS, env });
        add(await shared.run(path, folderOf(path)));
        if (!shared.canRunMore) await endShared();
      }
    }
    await endShared();
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, () => runSlot(together)));
  await runSlot(files.filter((path) => ALONE.includes(path)).values());
  return results;
}

async function tearDown(): Promise<void> {
  killFiles();
  await server?.stop();
  await removeFolder(folder);
  if (serverFolder !== folder) await removeFolder(serverFolder);
}
