// Starts, inspects and stops the postmaster (the main PostgreSQL server process) of a data directory.
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type OsUser, runCommand } from './command.ts';
import { diskFull, EmbeddedServerError, isDiskFullMessage } from './errors.ts';
import { readOptional, writeFileAtomically } from './files.ts';
import { identifyProcess, isPostmasterOf, type ProcessIdentity, sendSignal, waitForExit } from './processes.ts';
import { START_LOG, startFailureReason } from './server-log.ts';
import { PORT } from './settings.ts';

export interface Cluster {
  readonly pgdata: string;
  readonly osUser: OsUser;
  readonly binaries: Binaries;
}

export interface RunnableCluster extends Cluster {
  readonly socketDirectory: string;
}

export type PostmasterStatus =
  /** No pid file: the server was shut down, or never started. */
  | { readonly state: 'stopped' }
  /** A pid file without a matching process: the server crashed or was killed. */
  | { readonly state: 'dead' }
  | { readonly state: 'running'; readonly postmaster: ProcessIdentity };

// Crash recovery may replay 2 GB of WAL. A server that fails exits at once, so a long timeout delays no error.
const START_TIMEOUT_S = 300;
const ORPHAN_EXIT_TIMEOUT_MS = 15_000;
const FAST_STOP_TIMEOUT_MS = 60_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 15_000;
/** Larger than any pid an operating system assigns. */
const UNUSED_PID = 2_147_483_646;

export async function inspectPostmaster(pgdata: string): Promise<PostmasterStatus> {
  const lines = (await readOptional(join(pgdata, 'postmaster.pid')))?.split('\n');
  if (!lines) return { state: 'stopped' };
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const postmaster = pid > 0 ? await identifyProcess(pid) : undefined;
  if (postmaster && (await isPostmasterOf(pid, pgdata))) return { state: 'running', postmaster };
  return { state: 'dead' };
}

/** Resolves when the server accepts connections. The settings and the socket directory must already exist. */
export async function startPostmaster(cluster: RunnableCluster): Promise<ProcessIdentity> {
  const { pgdata } = cluster;
  const startedAt = Date.now();
  for (;;) {
    const before = await inspectPostmaster(pgdata);
    if (before.state === 'running') return before.postmaster;
    await clearSocket(cluster);
    await clearPidFile(cluster);
    const failure = await pgCtlStart(cluster, startedAt);
    const after = await inspectPostmaster(pgdata);
    if (failure === undefined && after.state === 'running') return after.postmaster;
    if (isDiskFullMessage(failure ?? '')) throw diskFull(pgdata);
    // The children of a killed postmaster exit a moment later, and PostgreSQL refuses to start before the last one has.
    const hasOrphans = failure !== undefined && /pre-existing shared memory block/.test(failure);
    if (!hasOrphans || Date.now() - startedAt > ORPHAN_EXIT_TIMEOUT_MS) {
      throw new EmbeddedServerError(`PostgreSQL did not start in ${pgdata}: ${failure || 'it exited immediately'}`);
    }
    await wait(100);
  }
}

/** Returns the reason for the failure, or undefined if the server started. */
async function pgCtlStart({ pgdata, osUser, binaries }: Cluster, startedAt: number): Promise<string | undefined> {
  await rm(join(pgdata, START_LOG), { force: true });
  // pg_ctl passes the path to a shell, so a path with special characters is replaced by the working directory.
  const target = /["`$\\\n]/.test(pgdata) ? '.' : pgdata;
  const args = ['start', '-D', target, '-l', START_LOG, '-s', '-w', '-t', String(START_TIMEOUT_S)];
  const run = await runCommand(osUser, join(binaries.directory, 'bin', 'pg_ctl'), args, {
    cwd: pgdata,
    timeoutMs: (START_TIMEOUT_S + 10) * 1000,
    detached: true,
  });
  if (run.exitCode === 0) return undefined;
  if (/did not start in time/.test(run.output))
    return `it was not ready after ${START_TIMEOUT_S} seconds; start again to continue waiting.`;
  return (await startFailureReason(pgdata, startedAt)) || run.output.trim().replaceAll('\n', ' / ');
}

/** Removes a leftover socket. The directory is private to this cluster, so nothing else can own the socket. */
async function clearSocket({ pgdata, socketDirectory }: RunnableCluster): Promise<void> {
  const socket = join(socketDirectory, `.s.PGSQL.${PORT}`);
  // A server in another container that shares the disk has no visible pid here, but its socket accepts connections.
  if (await isAccepting(socket)) {
    throw new EmbeddedServerError(
      `${pgdata} is in use by a PostgreSQL server that this process cannot see, possibly in another container.`,
    );
  }
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
}

/**
 * Call only when no postmaster is running. PostgreSQL refuses to start while the pid in postmaster.pid belongs to any live
 * process of its user, even to an unrelated program or to a zombie that process 1 has not reaped.
 */
export async function clearPidFile({ pgdata, osUser }: Cluster): Promise<void> {
  const path = join(pgdata, 'postmaster.pid');
  const content = await readOptional(path);
  if (content === undefined) return;
  const firstLineEnd = content.indexOf('\n');
  // Replace only the pid: PostgreSQL uses the other lines to detect whether children of the old server still use its
  // shared memory. A file without any line is left by a power failure and would prevent every start.
  if (firstLineEnd < 0) await rm(path);
  else await writeFileAtomically(path, `${UNUSED_PID}${content.slice(firstLineEnd)}`, { mode: 0o600, owner: osUser });
}

function isAccepting(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = connect(socket);
  connection.setTimeout(1000, () => resolve(false));
  connection.on('connect', () => resolve(true));
  connection.on('error', () => resolve(false));
  return promise.finally(() => connection.destroy());
}

/** Fast shutdown: open transactions are rolled back and a checkpoint is written. Falls back to immediate shutdown. */
export async function stopPostmaster(pgdata: string): Promise<void> {
  const status = await inspectPostmaster(pgdata);
  if (status.state !== 'running') return;
  const { postmaster } = status;
  // A process suspended by SIGSTOP would not react to SIGINT.
  sendSignal(postmaster.pid, 'SIGCONT');
  if (!sendSignal(postmaster.pid, 'SIGINT') || (await waitForExit(postmaster, FAST_STOP_TIMEOUT_MS))) return;
  // Immediate shutdown loses no committed transaction, but the next start has to run crash recovery.
  if (!sendSignal(postmaster.pid, 'SIGQUIT') || (await waitForExit(postmaster, IMMEDIATE_STOP_TIMEOUT_MS))) return;
  throw new EmbeddedServerError(`PostgreSQL (process ${postmaster.pid}) in ${pgdata} does not stop.`);
}
