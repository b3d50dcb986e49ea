// The PostgreSQL server of the fault tests, which can be killed, frozen, and made to run out of disk space.

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EmbeddedServer, startEmbeddedServer } from '@kissi/embedded-postgres';
import { FrozenProcesses, killServer, postmasterOf, queryOnce, sendSignal } from '@kissi/testkit/faults';
import type { Random } from '@kissi/testkit/random';
import { oneAtATime } from './gateways.ts';

const run = promisify(execFile);

export interface FaultyDatabase {
  /** The direct address, not through the proxy. */
  url(): string;
  /** Whether the data is on a small mounted disk, which `fillDisk` can fill. */
  hasSmallDisk: boolean;
  /** Kills the server; on a cluster one of its servers, in turn. */
  kill(): Promise<void>;
  /** Kills all servers at once. */
  killAll(): Promise<void>;
  /** Kills one backend process; PostgreSQL then closes all connections and recovers. */
  killBackend(random: Random): Promise<boolean>;
  freeze(): Promise<() => void>;
  fillDisk(leaveBytes: number): Promise<void>;
  /** On a full disk: uses up the recycled WAL files until PostgreSQL panics. Resolves to false if it does not panic. */
  exhaustWal(): Promise<boolean>;
  isRunning(): Promise<boolean>;
  /** Resolves when no transaction of a killed server is left. */
  settle(): Promise<void>;
  /** Starts the server if it is not running; resolves when it accepts queries. */
  ensureRunning(): Promise<void>;
  stop(): Promise<void>;
}

/** Mounts a small disk; null where mounting is not permitted. */
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

/** Retries, because auxiliary processes such as the log writer end shortly after PostgreSQL. */
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

const RESPONSIVE_WITHIN_MS = 180_000;
const MAX_WAL_FILES = 40;

/** Keeps the WAL small, so that the ballast file fills the disk, and not the WAL. */
const SMALL_DISK_SETTINGS = { max_wal_size: '96MB', min_wal_size: '48MB', shared_buffers: '64MB' };

export async function startFaultyDatabase(directory: string, hasSmallDisk: boolean): Promise<FaultyDatabase> {
  const dataDir = join(directory, 'data');
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  const start = () =>
    startEmbeddedServer({
      dataDir,
      supervise: false,
      settings: hasSmallDisk ? SMALL_DISK_SETTINGS : {},
      report: () => undefined,
    });
  let server: EmbeddedServer = await start();
  const ballast = join(directory, 'ballast');
  const frozen = new FrozenProcesses();

  /** A fault of its own may still fill the disk when another one restarts the server. */
  let filling: Promise<unknown> = Promise.resolve();

  const isRunning = async () => (await postmasterOf(server.pgdata)) !== null;

  async function startUnlessRunning(): Promise<void> {
    // A server that panicked may exit at any time until it answers.
    if (await isRunning()) return;
    // stop() only releases the data directory.
    await server.stop();
    server = await start();
  }

  return {
    url: () => server.url,
    hasSmallDisk,
    kill: () => killServer(server.pgdata),
    killAll: () => killServer(server.pgdata),
    async killBackend(random) {
      const text = `select pid from pg_stat_activity where application_name = 'kissi' order by pid`;
      const rows = (await queryOnce(server.url, text)) as { pid: number }[] | null;
      return rows !== null && rows.length > 0 && sendSignal(random.pick(rows).pid, 'SIGKILL');
    },
    freeze: () => frozen.freeze(server.pgdata),
    async fillDisk(leaveBytes) {
      const { bavail, bsize } = await statfs(directory);
      const written = writeZeros(ballast, bavail * bsize - leaveBytes);
      filling = written.catch(() => undefined);
      await written;
    },
    async exhaustWal() {
      for (let file = 0; file < MAX_WAL_FILES; file++) {
        const switched = await queryOnce(
          server.url,
          `select pg_logical_emit_message(false, 'full', ''), pg_switch_wal()`,
        );
        // PostgreSQL panicked; it may try to recover a few times before it exits.
        if (switched === null) return true;
      }
      return false;
    },
    isRunning,
    settle: async () => undefined,
    ensureRunning: oneAtATime(async () => {
      frozen.thaw();
      const end = performance.now() + RESPONSIVE_WITHIN_MS;
      let cause: unknown;
      do {
        await filling;
        await rm(ballast, { force: true });
        try {
          await startUnlessRunning();
          if ((await queryOnce(server.url, 'select 1')) !== null) return;
        } catch (error) {
          // The disk may have been filled while it started.
          cause = error;
        }
        await wait(50);
      } while (performance.now() < end);
      throw new Error('PostgreSQL did not recover', { cause });
    }),
    async stop() {
      frozen.thaw();
      await rm(ballast, { force: true });
      await server.stop();
    },
  };
}

/** Writes until the disk is full or the size is reached. */
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
