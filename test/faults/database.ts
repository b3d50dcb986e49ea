// The PostgreSQL that is killed, frozen and filled up: the embedded programs on a folder of its own, or on a small disk.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EmbeddedServer, startEmbeddedServer } from '@kissi/embedded-postgres';
import pg from 'pg';
import { oneAtATime } from './gateways.ts';
import type { Random } from './random.ts';

const run = promisify(execFile);

export interface FaultyDatabase {
  /** Directly, past any proxy. */
  url(): string;
  /** Whether it is on a disk small enough to be filled. */
  isSmall: boolean;
  kill(): Promise<void>;
  /** Kills one of the processes that serve a connection: PostgreSQL then throws all of them out and recovers. */
  killBackend(random: Random): Promise<boolean>;
  freeze(): Promise<() => void>;
  fillDisk(leaveBytes: number): Promise<void>;
  /** On a full disk: uses up the log files it has in stock, until it cannot make one and panics. False: it did not. */
  exhaustLog(): Promise<boolean>;
  isRunning(): Promise<boolean>;
  /** Starts it if it is not there; resolves when it answers. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** The small disk, or null where none may be mounted. */
export async function mountSmallDisk(megabytes: number): Promise<string | null> {
  const path = await mkdtemp(join(tmpdir(), 'kissi-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'kissi-faults', path]);
    return path;
  } catch {
    await rm(path, { recursive: true, force: true });
    return null;
  }
}

const UNMOUNT_TRIES = 50;

/** PostgreSQL's helpers, such as the one that writes its log, end a moment after it. */
export async function unmount(path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run('umount', [path]);
      break;
    } catch (error) {
      if (tries === UNMOUNT_TRIES) throw error;
      await wait(100);
    }
  }
  await rm(path, { recursive: true, force: true });
}

/** On a small disk the log of changes is kept short, so that it is filled by us and not by itself. */
const SMALL = { max_wal_size: '96MB', min_wal_size: '48MB', shared_buffers: '64MB' };

export async function startFaultyDatabase(place: string, isSmall: boolean): Promise<FaultyDatabase> {
  const dataDir = join(place, 'data');
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  const begin = () =>
    startEmbeddedServer({ dataDir, supervise: false, settings: isSmall ? SMALL : {}, report: () => undefined });
  let server: EmbeddedServer = await begin();
  const ballast = join(place, 'ballast');
  const pidFile = join(server.pgdata, 'postmaster.pid');
  let frozen: number[] = [];

  const postmaster = async () => Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]) || null;

  function thaw(): void {
    for (const pid of frozen) send(pid, 'SIGCONT');
    frozen = [];
  }

  async function isRunning(): Promise<boolean> {
    const pid = await postmaster();
    return pid !== null && (await isAlive(pid));
  }

  return {
    url: () => server.url,
    isSmall,
    async kill() {
      const pid = await postmaster();
      if (pid !== null) send(pid, 'SIGKILL');
    },
    async killBackend(random) {
      const text = `select pid from pg_stat_activity where application_name = 'kissi' order by pid`;
      const rows = (await once(server.url, text)) as { pid: number }[] | null;
      return rows !== null && rows.length > 0 && send(random.pick(rows).pid, 'SIGKILL');
    },
    async freeze() {
      const pid = await postmaster();
      if (pid === null) return thaw;
      const family = [pid, ...(await childrenOf(pid))];
      frozen.push(...family);
      for (const each of family) send(each, 'SIGSTOP');
      return thaw;
    },
    async fillDisk(leaveBytes) {
      const { bavail, bsize } = await statfs(place);
      await writeZeros(ballast, bavail * bsize - leaveBytes);
    },
    async exhaustLog() {
      for (let file = 0; file < LOG_FILES; file++) {
        const switched = await once(server.url, `select pg_logical_emit_message(false, 'full', ''), pg_switch_wal()`);
        // A panic, after which it may try to recover a few times before it ends.
        if (switched === null) return true;
      }
      return false;
    },
    isRunning,
    revive: oneAtATime(async () => {
      thaw();
      await rm(ballast, { force: true });
      if (!(await isRunning())) {
        // Lets go of the folder; there is nothing left to stop.
        await server.stop();
        server = await begin();
      }
      await answers(server.url);
    }),
    async stop() {
      thaw();
      await rm(ballast, { force: true });
      await server.stop();
    },
  };
}

/** Until the disk has no more. */
async function writeZeros(path: string, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(1 << 20);
  const file = await open(path, 'a');
  try {
    for (let left = bytes; left > 0; left -= chunk.length) await file.write(chunk, 0, Math.min(left, chunk.length));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const LOG_FILES = 40;

/** One query on a connection of its own; null when it did not work. */
async function once(url: string, text: string): Promise<unknown[] | null> {
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

const ANSWERS_WITHIN_MS = 180_000;

async function answers(url: string): Promise<void> {
  const end = performance.now() + ANSWERS_WITHIN_MS;
  while ((await once(url, 'select 1')) === null) {
    if (performance.now() > end) throw new Error('PostgreSQL did not come back');
    await wait(50);
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX] /.test(status);
}

async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === pid) found.push(Number(name));
  }
  return found;
}
