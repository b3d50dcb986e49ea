// npm run ledger:verify: proves the books of DATABASE_URL, or of the server under DATA_DIR; exits 0 clean, 1 faults, 2 not run.
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  connectionUrl,
  findCluster,
  inspectPostmaster,
  readPassword,
  startEmbeddedServer,
} from '@kissi/embedded-postgres';
import { reach } from '../src/db/failover/follower.ts';
import { type Config, loadConfig } from '../src/kernel/config/config.ts';
import { reportOf, verifyLedger } from '../src/ledger/verification/verify.ts';

interface Found {
  url: string;
  leave(): Promise<void>;
}

const nothing = async () => {};

async function findDatabase({ databaseUrl, dataDir }: Config): Promise<Found> {
  if (databaseUrl) return { url: databaseUrl, leave: nothing };
  const place = await realpath(resolve(dataDir)).catch(() => null);
  const cluster = place && (await findCluster(place));
  if (!cluster) throw new Error(`there is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL`);
  const running = (await inspectPostmaster(cluster.pgdata)).state === 'running';
  const password = await readPassword(place);
  if (running && password) {
    return { url: connectionUrl({ socketDirectory: await socketOf(cluster.pgdata), password }), leave: nothing };
  }
  const server = await startEmbeddedServer({ dataDir: place, supervise: false, report: () => undefined });
  return { url: server.url, leave: () => server.stop() };
}

/** A running server says in the fifth line of its pid file where its socket is. */
async function socketOf(folder: string): Promise<string> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n');
  const socket = lines[4]?.trim();
  if (!socket) throw new Error(`the server of ${folder} has no socket yet: try again in a moment`);
  return socket;
}

async function verify({ url, leave }: Found): Promise<number> {
  const { connectionString, Client } = reach(url);
  const client = new Client({ connectionString, application_name: 'kissi ledger:verify' });
  // A connection that breaks fails the query that waits for it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const begin = performance.now();
    const verification = await verifyLedger(client);
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
    process.stdout.write(`${reportOf(verification)}\nIt took ${seconds} s.\n`);
    return verification.clean ? 0 : 1;
  } finally {
    await client.end().catch(() => undefined);
    await leave();
  }
}

try {
  process.exitCode = await verify(await findDatabase(loadConfig(process.env)));
} catch (error) {
  process.stderr.write(`The books could not be verified: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
