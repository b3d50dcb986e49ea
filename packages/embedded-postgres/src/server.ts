// The PostgreSQL that Kissi brings along: one call starts, finds or heals it, and one stops it.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { chooseAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { createCluster, type FoundCluster, findCluster } from './cluster.ts';
import { connectionUrl, openDatabase } from './database.ts';
import { EmbeddedServerError, explainFailure } from './errors.ts';
import { makeFolder } from './files.ts';
import { takeLock } from './lock.ts';
import { newPassword, readPassword, resetPassword, savePassword } from './password.ts';
import { type Cluster, clearPidFile, sight, startPostmaster, stopPostmaster } from './postmaster.ts';
import { lostItsProgram, type ProcessMark } from './processes.ts';
import { renderSettings, sameSettings, writeSettings } from './settings.ts';
import { findSocketFolder, type SocketFolder } from './socket.ts';
import { type Report, supervise } from './supervisor.ts';
import { canEnter } from './tool.ts';

export { EmbeddedServerError } from './errors.ts';

export interface EmbeddedServer {
  /** For `pg`, as the owner of the database `kissi`, over the socket. */
  readonly url: string;
  readonly dataFolder: string;
  /** Ends the supervision, shuts PostgreSQL down (fast) and waits until it is down. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** May be relative. */
  dataDir: string;
  /** Beside and above our own settings of PostgreSQL. */
  settings?: Record<string, string>;
  report(event: { level: 'info' | 'warn' | 'error'; message: string }): void;
  /** Whether a crashed server is started again; true if not said. */
  supervise?: boolean;
}

const ANSWER_WITHIN_MS = 5_000;

export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = resolve(options.dataDir);
  try {
    await makeFolder(place);
    const dataDir = await realpath(place);
    const lock = await takeLock(dataDir);
    try {
      return await startLocked({ ...options, dataDir }, () => lock.release());
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explainFailure(error, place);
  }
}

async function startLocked(options: EmbeddedOptions, release: () => Promise<void>): Promise<EmbeddedServer> {
  const { dataDir, report } = options;
  const { cluster, password } = await openCluster(options);
  const { folder, account } = cluster;
  const socket = await findSocketFolder({ cluster: folder, dataDir, account });
  const settings = renderSettings({
    binaries: cluster.binaries,
    socketFolder: socket.path,
    extra: options.settings ?? {},
  });
  const access = { socketFolder: socket.path, password };

  let postmaster = await reuse({ folder, settings, report }, () => openDatabase(access, ANSWER_WITHIN_MS));
  if (!postmaster) {
    postmaster = await startFresh(cluster, socket, settings);
    await requireAnswer(folder, () => openDatabase(access, ANSWER_WITHIN_MS));
    report({ level: 'info', message: `PostgreSQL ${cluster.binaries.version} started (process ${postmaster.pid}).` });
  }
  const restart = () => startFresh(cluster, socket, settings);
  const supervisor = options.supervise === false ? undefined : supervise({ folder, postmaster, restart, report });

  async function stopAll(): Promise<void> {
    await supervisor?.stop();
    await stopPostmaster(folder);
    await socket.discard();
    await release();
  }
  let stopping: Promise<void> | undefined;
  return {
    url: connectionUrl(access),
    dataFolder: folder,
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

/** The cluster with everything needed to run it; made now if it is not there. */
async function openCluster(options: EmbeddedOptions): Promise<{ cluster: Cluster; password: string }> {
  const { dataDir, report } = options;
  const found = await findCluster(dataDir);
  const account = await chooseAccount(found?.owner);
  const binaries = await prepareBinaries(account, dataDir);
  const known = await readPassword(dataDir);
  const password = known ?? newPassword();
  if (!found) {
    report({ level: 'info', message: `Making a new PostgreSQL ${binaries.version} database in ${dataDir}.` });
    // Kept first: a password without a cluster is used for the next one, a cluster without a password is of no use.
    if (!known) await savePassword(dataDir, password);
    const durable = options.settings?.fsync !== 'off';
    const folder = await createCluster({ dataDir, account, binaries, password, durable });
    return { cluster: { folder, account, binaries }, password };
  }
  const cluster = { folder: found.folder, account, binaries };
  await requireUsable(found, cluster);
  if (!known) {
    report({ level: 'warn', message: 'The password file of the database is missing; setting a new password.' });
    await stopPostmaster(found.folder);
    await clearPidFile(cluster);
    await resetPassword(cluster, password);
    await savePassword(dataDir, password);
  }
  return { cluster, password };
}

async function requireUsable(found: FoundCluster, { account, binaries }: Cluster): Promise<void> {
  if (found.major !== binaries.major) {
    throw new EmbeddedServerError(
      `${found.folder} was made by PostgreSQL ${found.major} and this release brings PostgreSQL ${binaries.major}: move the data with pg_dump, or set DATABASE_URL to a server of version ${found.major}.`,
    );
  }
  if (await canEnter(account, found.folder)) return;
  throw new EmbeddedServerError(
    `The user "${account.name}", who owns ${found.folder}, cannot reach it: open the folders above it for that user (chmod o+x).`,
  );
}

/** A killed Node leaves its PostgreSQL running: it is taken over if it is just what would be started now. */
async function reuse(
  wanted: { folder: string; settings: string; report: Report },
  answers: () => Promise<boolean>,
): Promise<ProcessMark | undefined> {
  const { folder, report } = wanted;
  const seen = await sight(folder);
  if (seen.state !== 'running') return undefined;
  const { postmaster } = seen;
  const same = (await sameSettings(folder, wanted.settings)) && !(await lostItsProgram(postmaster.pid));
  if (same && (await answers())) {
    report({ level: 'info', message: `PostgreSQL was still running (process ${postmaster.pid}); using it.` });
    return postmaster;
  }
  const why = same ? 'does not answer' : 'was started with other settings';
  report({ level: 'warn', message: `A PostgreSQL (process ${postmaster.pid}) ${why}; starting it again.` });
  await stopPostmaster(folder);
  return undefined;
}

async function startFresh(cluster: Cluster, socket: SocketFolder, settings: string): Promise<ProcessMark> {
  await writeSettings(cluster.folder, settings, cluster.account);
  await socket.ensure();
  return startPostmaster({ ...cluster, socketFolder: socket.path });
}

async function requireAnswer(folder: string, answers: () => Promise<boolean>): Promise<void> {
  try {
    if (await answers()) return;
    throw new EmbeddedServerError(`PostgreSQL started in ${folder} but does not answer on its socket.`);
  } catch (error) {
    await stopPostmaster(folder);
    throw error;
  }
}
