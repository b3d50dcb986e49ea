// Tells whether a process number still means the process it once meant.
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from './errors.ts';
import { runTool } from './tool.ts';

/** A process by number and moment of birth: numbers are reused, after a reboot or in a new container within seconds. */
export interface ProcessMark {
  readonly pid: number;
  /** Empty where the system does not tell; then the number alone has to do. */
  readonly born: string;
}

export async function markProcess(pid: number): Promise<ProcessMark | undefined> {
  if (!exists(pid)) return undefined;
  if (process.platform !== 'linux') return { pid, born: await bornByPs(pid) };
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may contain anything; the fields begin after its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The dead whom nobody buried: where Node is process 1 of a container, a crashed PostgreSQL stays one for ever.
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const ticks = fields[19];
  return { pid, born: ticks === undefined ? '' : `${ticks}@${await bootId()}` };
}

export async function isAlive(mark: ProcessMark): Promise<boolean> {
  // Elsewhere the birth costs a ps for each look, too much for a poll; the number alone has to do.
  if (process.platform !== 'linux') return exists(mark.pid);
  const now = await markProcess(mark.pid);
  return now !== undefined && (now.born === '' || mark.born === '' || now.born === mark.born);
}

/** True once it is gone, false when the time is over. */
export async function waitUntilGone(mark: ProcessMark, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(mark)) {
    if (performance.now() > deadline) return false;
    await wait(20);
  }
  return true;
}

/** False when it is gone already. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Is this process the postmaster that serves this folder, and not merely a process with its old number? */
export async function isPostmasterOf(pid: number, folder: string): Promise<boolean> {
  const words = await commandLine(pid);
  if (basename(words[0] ?? '') !== 'postgres') return false;
  // A postmaster works inside its folder, even after the folder was moved. Root in a container may not look, though.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined ? words.includes(folder) || words.includes('.') : cwd === folder;
}

/** After an npm install the running program may be a file that no longer exists: it cannot load its libraries. */
export async function lostItsProgram(pid: number): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
  return program.endsWith(' (deleted)');
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
  const ps = await runTool(undefined, 'ps', ['-o', 'command=', '-p', String(pid)], { cwd: '/', timeoutMs: 5_000 });
  // ps loses where one word ends; a folder name with spaces is found by the part after -D.
  const [program = '', folder = ''] = ps.output.trim().split(' -D ');
  return [program, folder];
}

async function bornByPs(pid: number): Promise<string> {
  const ps = await runTool(undefined, 'ps', ['-o', 'lstart=', '-p', String(pid)], { cwd: '/', timeoutMs: 5_000 });
  return ps.code === 0 ? ps.output.trim() : '';
}

let knownBootId: string | undefined;

async function bootId(): Promise<string> {
  knownBootId ??= (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
  return knownBootId;
}
