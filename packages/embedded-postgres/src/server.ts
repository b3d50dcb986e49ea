// Starts, adopts and stops the embedded PostgreSQL server for a data directory.
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { prepareBinaries } from './binaries.ts';
import { createCluster, type ExistingCluster, findCluster } from './cluster.ts';
import { canAccess } from './command.ts';
import { connectionUrl, ensureDatabase } from './connection.ts';
import { EmbeddedServerError, explainFailure } from './errors.ts';
import { createDirectory } from './files.ts';
import { acquireLock } from './lock.ts';
import { chooseOsUser } from './os-user.ts';
import { generatePassword, readPassword, resetPassword, savePassword } from './password.ts';
import { type Cluster, clearPidFile, inspectPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { isExecutableDeleted, type ProcessIdentity } from './processes.ts';
import { renderSettings, settingsMatch, writeSettings } from './settings.ts';
import { chooseSocketDirectory, type SocketDirectory } from './socket-directory.ts';
import { type Reporter, supervise } from './supervisor.ts';

export interface EmbeddedServer {
  /** Connection URL for `pg`: the superuser, on the database `kissi`, over the Unix socket. */
  readonly url: string;
  /** PostgreSQL's data directory: `<dataDir>/postgres`, with symbolic links resolved. */
  readonly pgdata: string;
  /** Stops supervising, shuts PostgreSQL down and resolves when it has exited. Can be called more than once. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** Created if it does not exist. May be a relative path. */
  dataDir: string;
  /** PostgreSQL settings; they override the defaults in settings.ts. */
  settings?: Record<string, string>;
  /** Receives one message per event, such as a start or a crash, for the application's log. */
  report(event: { level: 'info' | 'warn' | 'error'; message: string }): void;
  /** Restarts the server after a crash. Default: true. */
  supervise?: boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** Throws an `EmbeddedServerError` if the server cannot be started for a reason that an operator can fix. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const path = resolve(options.dataDir);
  try {
    await createDirectory(path);
    const dataDir = await realpath(path);
    const lock = await acquireLock(dataDir);
    try {
      return await startWithLock({ ...options, dataDir }, () => lock.release());
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explainFailure(error, path);
  }
}

async function startWithLock(
  options: EmbeddedServerOptions,
  releaseLock: () => Promise<void>,
): Promise<EmbeddedServer> {
  const { dataDir, report } = options;
  const { cluster, password } = await openCluster(options);
  const { pgdata, osUser, binaries } = cluster;
  const socket = await chooseSocketDirectory({ pgdata, dataDir, osUser });
  const settings = renderSettings({ binaries, socketDirectory: socket.path, overrides: options.settings ?? {} });
  const connection = { socketDirectory: socket.path, password };
  const isReady = () => ensureDatabase(connection, CONNECT_TIMEOUT_MS);

  let postmaster = await adoptRunning({ pgdata, settings, report }, isReady);
  if (!postmaster) {
    postmaster = await startStopped(cluster, socket, settings);
    await requireReady(pgdata, isReady);
    report({ level: 'info', message: `PostgreSQL ${binaries.version} started (process ${postmaster.pid}).` });
  }
  const restart = () => startStopped(cluster, socket, settings);
  const supervisor = options.supervise === false ? undefined : supervise({ pgdata, postmaster, restart, report });

  async function shutDown(): Promise<void> {
    await supervisor?.stop();
    await stopPostmaster(pgdata);
    await socket.remove();
    await releaseLock();
  }
  let stopping: Promise<void> | undefined;
  return {
    url: connectionUrl(connection),
    pgdata,
    stop() {
      stopping ??= shutDown();
      return stopping;
    },
  };
}

/** Creates the cluster if there is none, and sets a new password if the password file is missing. */
async function openCluster(options: EmbeddedServerOptions): Promise<{ cluster: Cluster; password: string }> {
  const { dataDir, report } = options;
  const existing = await findCluster(dataDir);
  const osUser = await chooseOsUser(existing?.ownerUid);
  const binaries = await prepareBinaries(osUser, dataDir);
  const savedPassword = await readPassword(dataDir);
  const password = savedPassword ?? generatePassword();
  if (!existing) {
    report({ level: 'info', message: `Creating a new PostgreSQL ${binaries.version} database in ${dataDir}.` });
    // Save the password first: a password without a cluster is reused, but a cluster without its password is unusable.
    if (!savedPassword) await savePassword(dataDir, password);
    const durable = options.settings?.fsync !== 'off';
    const pgdata = await createCluster({ dataDir, osUser, binaries, password, durable });
    return { cluster: { pgdata, osUser, binaries }, password };
  }
  const cluster = { pgdata: existing.pgdata, osUser, binaries };
  await checkUsable(existing, cluster);
  if (!savedPassword) {
    report({ level: 'warn', message: "The database's password file is missing; setting a new password." });
    await stopPostmaster(existing.pgdata);
    await clearPidFile(cluster);
    await resetPassword(cluster, password);
    await savePassword(dataDir, password);
  }
  return { cluster, password };
}

async function checkUsable(existing: ExistingCluster, { osUser, binaries }: Cluster): Promise<void> {
  const { pgdata, majorVersion } = existing;
  if (majorVersion !== binaries.majorVersion) {
    throw new EmbeddedServerError(
      `${pgdata} was created by PostgreSQL ${majorVersion} and this release includes PostgreSQL ${binaries.majorVersion}: migrate the data with pg_dump, or set DATABASE_URL to a PostgreSQL ${majorVersion} server.`,
    );
  }
  if (await canAccess(osUser, pgdata)) return;
  throw new EmbeddedServerError(
    `The user "${osUser.name}" owns ${pgdata} but cannot access it: make its parent directories accessible (chmod o+x).`,
  );
}

/** PostgreSQL keeps running when Node is killed (kill -9). It is reused if its settings and binaries are current. */
async function adoptRunning(
  expected: { pgdata: string; settings: string; report: Reporter },
  isReady: () => Promise<boolean>,
): Promise<ProcessIdentity | undefined> {
  const { pgdata, report } = expected;
  const status = await inspectPostmaster(pgdata);
  if (status.state !== 'running') return undefined;
  const { postmaster } = status;
  const isCurrent = (await settingsMatch(pgdata, expected.settings)) && !(await isExecutableDeleted(postmaster.pid));
  if (isCurrent && (await isReady())) {
    report({ level: 'info', message: `PostgreSQL is already running (process ${postmaster.pid}); reusing it.` });
    return postmaster;
  }
  const reason = isCurrent ? 'does not answer' : 'runs with different settings';
  report({ level: 'warn', message: `PostgreSQL (process ${postmaster.pid}) ${reason}; restarting it.` });
  await stopPostmaster(pgdata);
  return undefined;
}

async function startStopped(cluster: Cluster, socket: SocketDirectory, settings: string): Promise<ProcessIdentity> {
  await writeSettings(cluster.pgdata, settings, cluster.osUser);
  await socket.ensure();
  return startPostmaster({ ...cluster, socketDirectory: socket.path });
}

async function requireReady(pgdata: string, isReady: () => Promise<boolean>): Promise<void> {
  try {
    if (await isReady()) return;
    throw new EmbeddedServerError(`PostgreSQL started in ${pgdata} but does not answer on its socket.`);
  } catch (error) {
    await stopPostmaster(pgdata);
    throw error;
  }
}
