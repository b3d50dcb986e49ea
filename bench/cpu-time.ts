// CPU time of processes, from the kernel's own counters in /proc/<pid>/stat.
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessTime {
  pid: number;
  parent: number;
  /** Microseconds of all its threads, user and system together. */
  own: number;
  /** The same for its children that have ended. */
  ended: number;
}

/** CPU time per request, in microseconds. NaN where there is no /proc. */
export interface CpuCost {
  /** The gateway processes and their supervisor; the client of a reference that has no gateway. */
  gateway: number;
  /** All processes of the server, including those that ended and the background writers. */
  postgres: number;
}

// The kernel reports these counters in hundredths of a second on every architecture of Node.js.
const MICROS_PER_TICK = 10_000;

/** Fields 2 to 17 of proc_pid_stat(5). The program's name is in parentheses and may contain any character. */
export function parseStat(text: string): ProcessTime {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(text, 10),
    parent: field(4),
    own: (field(14) + field(15)) * MICROS_PER_TICK,
    ended: (field(16) + field(17)) * MICROS_PER_TICK,
  };
}

/** The time of a process and its descendants, including those that have ended. It never decreases while the process lives. */
export function treeTime(processes: readonly ProcessTime[], root: number): number {
  const process = processes.find(({ pid }) => pid === root);
  if (!process) return Number.NaN;
  const children = processes.filter(({ parent }) => parent === root);
  return children.reduce((sum, { pid }) => sum + treeTime(processes, pid), process.own + process.ended);
}

export function costPerRequest(before: CpuCost, after: CpuCost, requests: number): CpuCost {
  return {
    gateway: (after.gateway - before.gateway) / requests,
    postgres: (after.postgres - before.postgres) / requests,
  };
}

/** Processes that have ended are left out: their parent counts them. */
export async function readProcesses(): Promise<ProcessTime[]> {
  const names = await readdir('/proc').catch(() => []);
  const texts = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)),
  );
  return texts.flatMap((text) => (text === null ? [] : [parseStat(text)]));
}

/** The time of this process and of its children that have ended: the client of a reference. */
export function clientTime(processes: readonly ProcessTime[]): number {
  const self = processes.find(({ pid }) => pid === process.pid);
  return self ? self.own + self.ended : Number.NaN;
}

/**
 * The pid of the server that serves an open connection to the database, whose name must be unique: it is part of the
 * process's title. The pid that the server itself reports may belong to another machine or container. NaN if none is found.
 */
export async function findServer(database: string): Promise<number> {
  for (const { pid, parent } of await readProcesses()) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (title.startsWith('postgres: ') && title.includes(` ${database} `)) return parent;
  }
  return Number.NaN;
}
