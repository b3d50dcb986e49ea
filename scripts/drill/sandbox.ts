// Runs a drill in a sandbox: a temporary directory, an unprivileged user, and programs that are killed when the drill ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chooseOsUser, type OsUser, runCommand } from '@kissi/embedded-postgres';

export interface Sandbox {
  directory: string;
  /** The user that PostgreSQL and the started programs run as. */
  osUser: OsUser;
  /** Runs a program to completion and returns its output; throws if it fails. */
  run(file: string, ...args: string[]): Promise<string>;
  /** Starts a program in the background; its output goes to `<name>.log`. */
  start(name: string, file: string, ...args: string[]): Promise<Daemon>;
  /** Registers a cleanup, for example for processes that a started program leaves behind. */
  onClose(cleanup: () => Promise<void>): void;
  /** Runs the cleanups and kills the started programs, newest first, and deletes the directory. */
  close(): Promise<void>;
}

export interface Daemon {
  isRunning(): boolean;
  /** Sends SIGKILL and waits until the program has exited. */
  kill(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export async function createSandbox(name: string): Promise<Sandbox> {
  const osUser = await chooseOsUser(undefined);
  const directory = await mkdtemp(join(tmpdir(), `kissi-${name}-`));
  await chown(directory, osUser.uid, osUser.gid);
  const cleanups: (() => Promise<void>)[] = [];
  const sandbox: Sandbox = {
    directory,
    osUser,
    async run(file, ...args) {
      const { exitCode, output } = await runCommand(osUser, file, args, {
        cwd: directory,
        timeoutMs: DEFAULT_TIMEOUT_MS,
      });
      if (exitCode !== 0) throw new Error(`${file} ${args.join(' ')}\n${output}`);
      return output;
    },
    async start(name, file, ...args) {
      const daemon = await startDaemon(sandbox, name, file, args);
      cleanups.push(() => daemon.kill());
      return daemon;
    },
    onClose: (cleanup) => void cleanups.push(cleanup),
    async close() {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup().catch((error: Error) => print(error.message));
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return sandbox;
}

async function startDaemon(
  { directory, osUser }: Sandbox,
  name: string,
  file: string,
  args: string[],
): Promise<Daemon> {
  const log = await open(join(directory, `${name}.log`), 'a');
  const identity = osUser.dropPrivileges ? { uid: osUser.uid, gid: osUser.gid } : {};
  const env = { PATH: process.env.PATH ?? '', HOME: directory, LC_ALL: 'C.UTF-8' };
  // Its own process group, so that Ctrl-C reaches only the drill, which then stops the programs in order.
  const options = { ...identity, cwd: directory, env, detached: true };
  const child = spawn(file, args, { ...options, stdio: ['ignore', log.fd, log.fd] });
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

const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';
export const INSTALL_COMMAND = 'apt-get install -y --no-install-recommends postgresql patroni etcd-server etcd-client';

/** The bin directory of the newest PostgreSQL installed from Debian packages that includes server and client tools. */
export async function findPostgresql(): Promise<string | null> {
  const versions = await readdir(DEBIAN_POSTGRESQL).catch(() => []);
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const bin = join(DEBIAN_POSTGRESQL, version, 'bin');
    if ((await exists(join(bin, 'postgres'))) && (await exists(join(bin, 'pg_basebackup')))) return bin;
  }
  return null;
}

export async function findProgram(name: string): Promise<string | null> {
  for (const directory of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']) {
    if (directory && (await exists(join(directory, name)))) return join(directory, name);
  }
  return null;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Creates a sandbox, runs the drill in it and always closes it. If the drill throws, prints the error and sets exit code 1. */
export async function runDrill(name: string, work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox(name);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void sandbox.close().finally(() => process.exit(130)));
  }
  try {
    await work(sandbox);
  } catch (error) {
    process.stderr.write(
      `The drill failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  } finally {
    await sandbox.close();
  }
}

/** Polls until `check` returns true; throws after `timeoutMs`. Errors of `check` count as false. */
export async function waitUntil(
  condition: string,
  check: () => Promise<boolean>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`timed out after ${timeoutMs / 1_000} s waiting until ${condition}`);
}
