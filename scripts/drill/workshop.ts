// The place of a drill: a folder that is thrown away, a user that PostgreSQL runs as, free ports, and programs run there.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chooseOsUser, type OsUser, runCommand } from '@kissi/embedded-postgres';

export interface Workshop {
  folder: string;
  account: OsUser;
  /** Runs a program to its end and returns what it wrote; throws when it fails. */
  run(file: string, ...args: string[]): Promise<string>;
  /** Starts a program that goes on; it writes to `<name>.log`. */
  start(name: string, file: string, ...args: string[]): Promise<Daemon>;
  /** For what a started program leaves behind. */
  atEnd(work: () => Promise<void>): void;
  /** Kills what was started, the newest first, and removes the folder: nothing in it is worth a farewell. */
  close(): Promise<void>;
}

export interface Daemon {
  isRunning(): boolean;
  /** kill -9. */
  kill(): Promise<void>;
}

const ENOUGH_MS = 60_000;

export async function openWorkshop(name: string): Promise<Workshop> {
  const account = await chooseOsUser(undefined);
  const folder = await mkdtemp(join(tmpdir(), `kissi-${name}-`));
  await chown(folder, account.uid, account.gid);
  const endings: (() => Promise<void>)[] = [];
  const workshop: Workshop = {
    folder,
    account,
    async run(file, ...args) {
      const { exitCode, output } = await runCommand(account, file, args, { cwd: folder, timeoutMs: ENOUGH_MS });
      if (exitCode !== 0) throw new Error(`${file} ${args.join(' ')}\n${output}`);
      return output;
    },
    async start(name, file, ...args) {
      const daemon = await startDaemon(workshop, name, file, args);
      endings.push(() => daemon.kill());
      return daemon;
    },
    atEnd: (work) => void endings.push(work),
    async close() {
      for (const ending of endings.splice(0).reverse()) await ending().catch((error: Error) => say(error.message));
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return workshop;
}

async function startDaemon({ folder, account }: Workshop, name: string, file: string, args: string[]): Promise<Daemon> {
  const log = await open(join(folder, `${name}.log`), 'a');
  const identity = account.dropPrivileges ? { uid: account.uid, gid: account.gid } : {};
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8' };
  const stdio = ['ignore', log.fd, log.fd] as const;
  // A group of its own: a Ctrl-C reaches the drill alone, which ends them in order.
  const child = spawn(file, args, { ...identity, cwd: folder, env, stdio: [...stdio], detached: true });
  await once(child, 'spawn');
  await log.close();
  return { isRunning: () => isRunning(child), kill: () => kill(child) };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function kill(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';
export const TO_INSTALL = 'apt-get install -y --no-install-recommends postgresql patroni etcd-server etcd-client';

/** The folder of the newest PostgreSQL that Debian installed, with all of its tools. */
export async function findPostgresql(): Promise<string | null> {
  const versions = await readdir(DEBIAN_POSTGRESQL).catch(() => []);
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const folder = join(DEBIAN_POSTGRESQL, version, 'bin');
    if ((await isThere(join(folder, 'postgres'))) && (await isThere(join(folder, 'pg_basebackup')))) return folder;
  }
  return null;
}

export async function findProgram(name: string): Promise<string | null> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']) {
    if (folder && (await isThere(join(folder, name)))) return join(folder, name);
  }
  return null;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs it in a workshop that is closed however it ends; a drill that fails says why and exits 1. */
export async function drill(name: string, work: (workshop: Workshop) => Promise<void>): Promise<void> {
  const workshop = await openWorkshop(name);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void workshop.close().finally(() => process.exit(130)));
  }
  try {
    await work(workshop);
  } catch (error) {
    process.stderr.write(
      `The drill failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  } finally {
    await workshop.close();
  }
}

/** Asks until it holds. */
export async function until(what: string, check: () => Promise<boolean>, withinMs = ENOUGH_MS): Promise<void> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`did not come true within ${withinMs / 1_000} s: ${what}`);
}
