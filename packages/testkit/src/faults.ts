// Faults of PostgreSQL servers: signals to their processes, their state, and queries that may fail.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** The process id of the server of a data directory; null if it is not running. */
export async function postmasterOf(pgdata: string): Promise<number | null> {
  const file = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]) || null;
  return pid !== null && (await isAlive(pid)) ? pid : null;
}

export async function killServer(pgdata: string): Promise<void> {
  const pid = await postmasterOf(pgdata);
  if (pid !== null) sendSignal(pid, 'SIGKILL');
}

/** The process ids of a PostgreSQL server: the postmaster first, then its children; empty if it is not running. */
export async function serverProcesses(pgdata: string): Promise<number[]> {
  const pid = await postmasterOf(pgdata);
  return pid === null ? [] : [pid, ...(await childrenOf(pid))];
}

/** Servers whose processes are stopped for a while. */
export class FrozenProcesses {
  private pids: number[] = [];

  /** Returns `thaw`. */
  async freeze(pgdata: string): Promise<() => void> {
    const processes = await serverProcesses(pgdata);
    this.pids.push(...processes);
    for (const each of processes) sendSignal(each, 'SIGSTOP');
    return this.thaw;
  }

  readonly thaw = (): void => {
    for (const pid of this.pids.splice(0)) sendSignal(pid, 'SIGCONT');
  };
}

/** Runs one query on a new connection; null when it fails. */
export async function queryOnce(url: string, text: string): Promise<unknown[] | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

export async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX] /.test(status);
}

/** Process ids. */
export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === pid) found.push(Number(name));
  }
  return found;
}
