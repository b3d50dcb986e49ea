// Identifies processes by pid and start time, so that a reused pid is not mistaken for the original process.
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from './command.ts';
import { errorCode } from './errors.ts';

/** A pid alone is ambiguous: pids are reused, within seconds after a reboot or in a new container. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; empty if the system does not report it, in which case only the pid is compared. */
  readonly startTime: string;
}

/** Returns undefined if no such process is running. Zombies do not count as running. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  if (!exists(pid)) return undefined;
  if (process.platform !== 'linux') return { pid, startTime: await startTimeFromPs(pid) };
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, the name in parentheses, may itself contain parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // If Node is process 1 of a container, nothing reaps a crashed PostgreSQL and it remains a zombie.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const startTicks = fields[19];
  return { pid, startTime: startTicks === undefined ? '' : `${startTicks}@${await bootId()}` };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  // Outside Linux the start time requires running ps, which is too expensive for polling. Compare only the pid there.
  if (process.platform !== 'linux') return exists(identity.pid);
  const now = await identifyProcess(identity.pid);
  if (now === undefined) return false;
  return now.startTime === '' || identity.startTime === '' || now.startTime === identity.startTime;
}

/** Returns false if the process is still alive after `timeoutMs`. */
export async function waitForExit(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(identity)) {
    if (performance.now() > deadline) return false;
    await wait(20);
  }
  return true;
}

/** Returns false if the process no longer exists. */
export function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Whether the process is the postmaster of this data directory, and not an unrelated process that reuses its pid. */
export async function isPostmasterOf(pid: number, pgdata: string): Promise<boolean> {
  const args = await commandLine(pid);
  if (basename(args[0] ?? '') !== 'postgres') return false;
  // A postmaster's working directory is its data directory, even after that was moved. Root inside a container may lack
  // the permission to read it; then compare the arguments.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined ? args.includes(pgdata) || args.includes('.') : cwd === pgdata;
}

/** True after npm has replaced the package: the running server can then no longer load its libraries. */
export async function isExecutableDeleted(pid: number): Promise<boolean> {
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return executable.endsWith(' (deleted)');
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function commandLine(pid: number): Promise<string[]> {
  const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (raw !== undefined) return raw.split('\0');
  const ps = await runCommand(undefined, 'ps', ['-o', 'command=', '-p', String(pid)], { cwd: '/', timeoutMs: 5_000 });
  // ps joins the arguments with spaces, so a path with spaces can only be found as the part after -D.
  const [program = '', pgdata = ''] = ps.output.trim().split(' -D ');
  return [program, pgdata];
}

async function startTimeFromPs(pid: number): Promise<string> {
  const ps = await runCommand(undefined, 'ps', ['-o', 'lstart=', '-p', String(pid)], { cwd: '/', timeoutMs: 5_000 });
  return ps.exitCode === 0 ? ps.output.trim() : '';
}

let cachedBootId: string | undefined;

async function bootId(): Promise<string> {
  cachedBootId ??= (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
  return cachedBootId;
}
