// Starts, finds and stops the one server process that may serve a cluster's folder.
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { diskFull, EmbeddedServerError, saysDiskFull } from './errors.ts';
import { readIfThere, writeWhole } from './files.ts';
import { isPostmasterOf, markProcess, type ProcessMark, signal, waitUntilGone } from './processes.ts';
import { reasonFromLog, START_LOG } from './server-log.ts';
import { PORT } from './settings.ts';
import { type Account, runTool } from './tool.ts';

export interface Cluster {
  readonly folder: string;
  readonly account: Account;
  readonly binaries: Binaries;
}

export interface RunnableCluster extends Cluster {
  readonly socketFolder: string;
}

export type Sighting =
  /** No pid file: it was stopped, or never started. */
  | { readonly state: 'stopped' }
  /** A pid file without its process: it was killed. */
  | { readonly state: 'dead' }
  | { readonly state: 'running'; readonly postmaster: ProcessMark };

// Recovery after a crash may replay 2 GB; a server that fails says so at once, so a long wait costs nothing.
const START_TIMEOUT_S = 300;
const ORPHANS_TIMEOUT_MS = 15_000;
const FAST_STOP_TIMEOUT_MS = 60_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 15_000;
/** Larger than any process number a system gives. */
const NOBODY_PID = 2_147_483_646;

export async function sight(folder: string): Promise<Sighting> {
  const lines = (await readIfThere(join(folder, 'postmaster.pid')))?.split('\n');
  if (!lines) return { state: 'stopped' };
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const postmaster = pid > 0 ? await markProcess(pid) : undefined;
  if (postmaster && (await isPostmasterOf(pid, folder))) return { state: 'running', postmaster };
  return { state: 'dead' };
}

/** Settings and socket folder are in place; resolves when connections are accepted. */
export async function startPostmaster(cluster: RunnableCluster): Promise<ProcessMark> {
  const { folder } = cluster;
  const begin = Date.now();
  for (;;) {
    const before = await sight(folder);
    if (before.state === 'running') return before.postmaster;
    await clearSocket(cluster);
    await clearPidFile(cluster);
    const failure = await pgCtlStart(cluster, begin);
    const seen = await sight(folder);
    if (failure === undefined && seen.state === 'running') return seen.postmaster;
    if (saysDiskFull(failure ?? '')) throw diskFull(folder);
    // The children of a killed server notice it a moment later; PostgreSQL rightly waits for the last of them.
    const orphans = failure !== undefined && /pre-existing shared memory block/.test(failure);
    if (!orphans || Date.now() - begin > ORPHANS_TIMEOUT_MS) {
      throw new EmbeddedServerError(`PostgreSQL did not start in ${folder}: ${failure || 'it ended at once'}`);
    }
    await wait(100);
  }
}

async function pgCtlStart({ folder, account, binaries }: Cluster, begin: number): Promise<string | undefined> {
  await rm(join(folder, START_LOG), { force: true });
  // pg_ctl hands the folder's name to a shell; it makes a session of its own for the server.
  const target = /["`$\\\n]/.test(folder) ? '.' : folder;
  const args = ['start', '-D', target, '-l', START_LOG, '-s', '-w', '-t', String(START_TIMEOUT_S)];
  const run = await runTool(account, join(binaries.folder, 'bin', 'pg_ctl'), args, {
    cwd: folder,
    timeoutMs: (START_TIMEOUT_S + 10) * 1000,
    detached: true,
  });
  if (run.code === 0) return undefined;
  if (/did not start in time/.test(run.output))
    return `it was not ready after ${START_TIMEOUT_S} seconds; start again to go on waiting.`;
  return (await reasonFromLog(folder, begin)) || run.output.trim().replaceAll('\n', ' / ');
}

/** The socket's folder is ours alone: what lies in it while no server of ours runs is a leftover. */
async function clearSocket({ folder, socketFolder }: RunnableCluster): Promise<void> {
  const socket = join(socketFolder, `.s.PGSQL.${PORT}`);
  // Another container that shares the disk has process numbers of its own, but its socket answers.
  if (await accepts(socket)) {
    throw new EmbeddedServerError(
      `${folder} is served by a PostgreSQL that this process cannot see, in another container perhaps.`,
    );
  }
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
}

/**
 * For a folder that no postmaster serves. PostgreSQL refuses to start while the number in the pid file belongs to any
 * living process of its user, even to another program or to a dead child that process 1 has not buried.
 */
export async function clearPidFile({ folder, account }: Cluster): Promise<void> {
  const path = join(folder, 'postmaster.pid');
  const content = await readIfThere(path);
  if (content === undefined) return;
  const rest = content.indexOf('\n');
  // Only the number is replaced: by the rest PostgreSQL still finds out whether children of the old server use its
  // memory. A file without lines is what a power cut leaves, and would stop PostgreSQL for good.
  if (rest < 0) await rm(path);
  else await writeWhole(path, `${NOBODY_PID}${content.slice(rest)}`, { mode: 0o600, owner: account });
}

function accepts(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const connection = connect(socket);
  connection.setTimeout(1000, () => resolve(false));
  connection.on('connect', () => resolve(true));
  connection.on('error', () => resolve(false));
  return promise.finally(() => connection.destroy());
}

/** Fast: transactions in flight are rolled back, everything committed is on disk. */
export async function stopPostmaster(folder: string): Promise<void> {
  const seen = await sight(folder);
  if (seen.state !== 'running') return;
  const { postmaster } = seen;
  // A frozen server would never read the request.
  signal(postmaster.pid, 'SIGCONT');
  if (!signal(postmaster.pid, 'SIGINT') || (await waitUntilGone(postmaster, FAST_STOP_TIMEOUT_MS))) return;
  // Still safe for what is committed; only the next start takes longer.
  if (!signal(postmaster.pid, 'SIGQUIT') || (await waitUntilGone(postmaster, IMMEDIATE_STOP_TIMEOUT_MS))) return;
  throw new EmbeddedServerError(`PostgreSQL (process ${postmaster.pid}) on ${folder} does not stop.`);
}
