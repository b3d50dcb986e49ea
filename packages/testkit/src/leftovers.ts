// Ends the processes and removes the folders that a tool or a test left behind.
import { execFile } from 'node:child_process';
import { glob, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inspectPostmaster } from '@kissi/embedded-postgres';
import { isAlive, sendSignal } from './faults.ts';

const POLL_MS = 50;
/** An immediate shutdown takes less; a frozen server takes no notice of it. */
const SHUTDOWN_MS = 2_000;
const KILL_MS = 10_000;

export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) sendSignal(-pid, 'SIGKILL');
}

/** Removes a folder of temporary files, with the PostgreSQL servers, other processes and mounts inside it. */
export async function removeFolder(folder: string): Promise<void> {
  const path = await realpath(folder).catch(() => folder);
  // A PostgreSQL server has its own session, so killing the process group of its starter does not reach it.
  const servers = await postmastersIn(path);
  // Killed at once, a server would leave its shared memory behind.
  for (const pid of servers) sendSignal(pid, 'SIGQUIT');
  await waitUntilNone(async () => (await Promise.all(servers.map(isAlive))).includes(true), SHUTDOWN_MS);
  await waitUntilNone(async () => {
    const found = [...(await postmastersIn(path)), ...(await processesIn(path))];
    for (const pid of found) sendSignal(pid, 'SIGKILL');
    return found.length > 0;
  }, KILL_MS);
  for (const mount of await mountsIn(path)) {
    await promisify(execFile)('umount', ['--lazy', mount]).catch(() => undefined);
  }
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** The processes whose working directory is the folder or inside it; none where the system does not tell (/proc). */
export async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const directory = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (`${directory}/`.startsWith(`${folder}/`)) found.push(Number(name));
  }
  return found;
}

async function postmastersIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for await (const path of glob(join(folder, '**/postmaster.pid'))) {
    const status = await inspectPostmaster(dirname(path));
    if (status.state === 'running') found.push(status.postmaster.pid);
  }
  return found;
}

async function waitUntilNone(some: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while ((await some()) && performance.now() < deadline) await wait(POLL_MS);
}

async function mountsIn(folder: string): Promise<string[]> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  return mounts.split('\n').flatMap((line) => {
    const [, path = ''] = line.split(' ');
    return `${path}/`.startsWith(`${folder}/`) ? [path] : [];
  });
}
