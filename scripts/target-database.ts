// The database that a script works on: DATABASE_URL, or the embedded server of DATA_DIR, which it starts if necessary.
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  connectionUrl,
  findCluster,
  inspectPostmaster,
  readPassword,
  startEmbeddedServer,
} from '@kissi/embedded-postgres';

export interface TargetDatabase {
  url: string;
  /** Stops the embedded server if this script started it. */
  close(): Promise<void>;
}

const doNothing = async () => {};

export async function openTarget(databaseUrl: string | undefined, dataDir: string): Promise<TargetDatabase> {
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
