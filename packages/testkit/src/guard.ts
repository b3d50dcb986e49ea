// Lets a tool end without leaving anything behind, however it ends: a second process, the guard, kills the tool's processes
// and removes its folders when the tool has ended, even after kill -9.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('guard-process.ts', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CLOSE_MS = 20_000;

/** A line to the guard. */
export type GuardOrder = { folder: string } | { pid: number; isGroup: boolean } | { ended: number };

let guard: ChildProcess | null = null;
let isEnding = false;

/**
 * Runs a tool's work under a guard. SIGINT, SIGTERM, SIGHUP and a closed output end it early: `close` runs first, for what
 * the guard cannot reach, such as databases on a given server.
 */
export async function runGuarded<T>(
  work: () => Promise<T>,
  close: () => Promise<unknown> = async () => undefined,
): Promise<T> {
  startGuard();
  // Ctrl-C arrives twice, from the terminal and from npm; handlers stay installed so that the second one does nothing.
  for (const signal of SIGNALS) process.on(signal, () => void interrupt(signal, close));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => void interrupt('SIGPIPE', close));
  try {
    return await work();
  } catch (error) {
    throw await unlessInterrupted(error);
  } finally {
    await unlessInterrupted(undefined);
    await endGuard();
  }
}

/** The guard kills the process, or its whole group, if it outlives the tool. Does nothing without a guard. */
export function ownProcess(child: ChildProcess, { isGroup = false } = {}): void {
  const { pid } = child;
  if (!guard || pid === undefined) return;
  order({ pid, isGroup });
  child.once('exit', () => void (isGroup || order({ ended: pid })));
}

/** A group has ended when its owner has killed what its leader left behind. */
export function disownGroup(pid: number | undefined): void {
  if (pid !== undefined) order({ ended: pid });
}

/** The guard removes the folder and what runs in it. Does nothing without a guard. */
export function ownFolder(folder: string): void {
  order({ folder });
}

function startGuard(): void {
  // Its own session: neither Ctrl-C nor the end of the terminal reaches it. The closed pipe tells it that the tool ended.
  guard = spawn(process.execPath, [PROGRAM], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  guard.stdin?.on('error', () => undefined);
}

function order(line: GuardOrder): void {
  guard?.stdin?.write(`${JSON.stringify(line)}\n`);
}

/** Resolves when nothing is left. */
async function endGuard(): Promise<void> {
  const ending = guard;
  if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
  ending.ref();
  const exited = once(ending, 'exit');
  ending.stdin?.end();
  await exited;
}

async function interrupt(signal: (typeof SIGNALS)[number] | 'SIGPIPE', close: () => Promise<unknown>): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.race([close().catch(() => undefined), wait(CLOSE_MS)]);
  await endGuard();
  process.exit(128 + constants.signals[signal]);
}

/** What fails because its servers were just ended is not reported: the process is about to exit. */
async function unlessInterrupted<T>(value: T): Promise<T> {
  if (isEnding) await new Promise(() => undefined);
  return value;
}
