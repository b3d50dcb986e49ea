// npm run ledger:verify: verifies the ledger in DATABASE_URL, or in the embedded server of DATA_DIR.
// Exit codes: 0 no faults, 1 faults found, 2 could not run.
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  connectionUrl,
  findCluster,
  inspectPostmaster,
  readPassword,
  startEmbeddedServer,
} from '@kissi/embedded-postgres';
import { type Config, loadConfig } from '../src/kernel/config/config.ts';
import { reportOf, verifyLedger } from '../src/ledger/verification/verify.ts';

interface TargetDatabase {
  url: string;
  /** Stops the embedded server if this script started it. */
  close(): Promise<void>;
}

const doNothing = async () => {};

async function openDatabase({ databaseUrl, dataDir }: Config): Promise<TargetDatabase> {
  if (databaseUrl) return { url: databaseUrl, close: doNothing };
  const directory = await realpath(resolve(dataDir)).catch(() => null);
  const cluster = directory && (await findCluster(directory));
  if (!cluster) throw new Error(`there is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL`);
  const isRunning = (await inspectPostmaster(cluster.pgdata)).state === 'running';
  const password = await readPassword(directory);
  if (isRunning && password) {
    const socketDirectory = await socketDirectoryOf(cluster.pgdata);
    return { url: connectionUrl({ socketDirectory, password }), close: doNothing };
  }
  const server = await startEmbeddedServer({ dataDir: directory, supervise: false, report: () => undefined });
  return { url: server.url, close: () => server.stop() };
}

/** The fifth line of a running server's postmaster.pid is its socket directory. */
async function socketDirectoryOf(pgdata: string): Promise<string> {
  const lines = (await readFile(join(pgdata, 'postmaster.pid'), 'utf8')).split('\n');
  const directory = lines[4]?.trim();
  if (!directory) throw new Error(`the server in ${pgdata} has no socket yet: try again in a moment`);
  return directory;
}

async function verify({ url, close }: TargetDatabase): Promise<number> {
  try {
    const startedAt = performance.now();
    const verification = await verifyLedger(url);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`${reportOf(verification)}\nVerification took ${seconds} s.\n`);
    return verification.clean ? 0 : 1;
  } finally {
    await close();
  }
}

try {
  process.exitCode = await verify(await openDatabase(loadConfig(process.env)));
} catch (error) {
  process.stderr.write(`The ledger could not be verified: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
