// Runs a drill in a sandbox: a temporary directory, an unprivileged user, and programs that are killed when the drill ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chooseOsUser, type OsUser, prepareBinaries, runCommand } from '@kissi/embedded-postgres';
import { ownFolder, ownProcess, runGuarded } from '@kissi/testkit/guard';

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

const DEFAULT_TIMEOUT_MS = 120_000;
/** Its last lines are printed if the drill fails. */
export const SERVICE_LOG = 'kissi.log';
const LOG_LINES = 10;

export async function createSandbox(name: string): Promise<Sandbox> {
  const osUser = await chooseOsUser(undefined);
  const directory = await mkdtemp(join(tmpdir(), `kissi-${name}-`));
  ownFolder(directory);
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
  ownProcess(child);
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

/** PostgreSQL's programs for servers without backup tools: Debian's, or the embedded server's. */
export async function serverPrograms({ osUser, directory }: Sandbox): Promise<string> {
  return (await findPostgresql()) ?? join((await prepareBinaries(osUser, directory)).directory, 'bin');
}

export async function findProgram(name: string): Promise<string | null> {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
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

/** One line per step, with the seconds since the start. */
export function step(text: string): void {
  print(`${(performance.now() / 1_000).toFixed(1).padStart(6)} s  ${text}`);
}

/**
 * Creates a sandbox, runs the drill in it and always closes it; whatever ends the drill early, its guard does. If the drill
 * throws, prints the error and sets exit code 1.
 */
export function runDrill(name: string, work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  return runGuarded(async () => {
    const sandbox = await createSandbox(name);
    try {
      await work(sandbox);
    } catch (error) {
      const log = await readFile(join(sandbox.directory, SERVICE_LOG), 'utf8').catch(() => '');
      process.stderr.write(log.split('\n').slice(-LOG_LINES).join('\n'));
      throw error;
    } finally {
      await sandbox.close();
    }
  }).catch((error: unknown) => {
    process.stderr.write(`The drill failed: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exitCode = 1;
  });
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
