// The data folder of the demo: the file that marks it and keeps what a later start needs to continue.
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedServerError, findCluster, inspectPostmaster, startEmbeddedServer } from '@kissi/embedded-postgres';
import type { Country } from '../country.ts';

const FILE = 'demo.json';

export interface DemoState {
  /** Building: the history was interrupted, and the folder is of no use. */
  phase: 'building' | 'ready';
  receiverPort: number;
  country: Country;
}

/** An error that the person who starts the demo can fix. */
export class DemoError extends Error {}

/** Null: the folder is empty or does not exist. Refuses a folder with other data, so that the demo never touches it. */
export async function readState(dataDir: string): Promise<DemoState | null> {
  const files = await readdir(dataDir).catch((): string[] => []);
  if (files.includes(FILE)) return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as DemoState;
  if (files.length === 0) return null;
  throw new DemoError(`${resolve(dataDir)} is not a demo folder: set DATA_DIR to a different one.`);
}

/** Contains PINs and keys, so only its owner can read it. */
export async function writeState(dataDir: string, state: DemoState): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const temporary = join(dataDir, `${FILE}.${process.pid}`);
  await writeFile(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, join(dataDir, FILE));
}

/** Only folders that `readState` accepts, and that no running demo uses. */
export async function deleteFolder(dataDir: string): Promise<void> {
  const cluster = await findCluster(resolve(dataDir));
  const isRunning = cluster && (await inspectPostmaster(cluster.pgdata)).state === 'running';
  if (isRunning) await stopServer(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

/** A demo that was killed leaves its PostgreSQL running. Starting takes it over, unless another process uses it. */
async function stopServer(dataDir: string): Promise<void> {
  try {
    const server = await startEmbeddedServer({ dataDir, supervise: false, report: () => undefined });
    await server.stop();
  } catch (error) {
    if (!(error instanceof EmbeddedServerError)) throw error;
    throw new DemoError(`A demo is running in ${resolve(dataDir)}: stop it first.`);
  }
}
