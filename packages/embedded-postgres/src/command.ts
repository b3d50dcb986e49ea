// Runs an external program to completion, as the operating-system user that PostgreSQL runs as.
import { spawn } from 'node:child_process';
import { EmbeddedServerError, errorCode } from './errors.ts';

export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** True if Node runs as root and must switch to this user; false if Node already runs as this user. */
  readonly dropPrivileges: boolean;
}

export interface CommandResult {
  readonly exitCode: number;
  /** stdout and stderr combined, truncated at 64 KiB. */
  readonly output: string;
}

export interface CommandOptions {
  cwd: string;
  timeoutMs: number;
  input?: string;
  /** Runs in its own process group, so that Ctrl-C in the terminal reaches Node only. */
  detached?: boolean;
}

const OUTPUT_LIMIT = 64 * 1024;
/** What a shell returns for a command that cannot be executed. */
const NOT_RUNNABLE = 127;

// A fixed, minimal environment: the caller's PGDATA, PGPORT, PGOPTIONS or locale must not reach PostgreSQL.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/',
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Does not reject when the program fails: check `exitCode`. */
export function runCommand(user: OsUser | undefined, file: string, args: string[], options: CommandOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const identity = user?.dropPrivileges ? { uid: user.uid, gid: user.gid } : {};
  const child = spawn(file, args, {
    ...identity,
    cwd: options.cwd,
    env: ENVIRONMENT,
    detached: options.detached ?? false,
    stdio: 'pipe',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    if (output.length < OUTPUT_LIMIT) output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const timer = setTimeout(() => {
    output += `\n${file} did not finish within ${options.timeoutMs} ms`;
    child.kill('SIGKILL');
  }, options.timeoutMs);
  child.on('error', (error) => {
    clearTimeout(timer);
    // Some containers run as root without CAP_SETUID. Every later command would fail the same way.
    if (errorCode(error) === 'EPERM' && user?.dropPrivileges) reject(cannotSwitchUser(user));
    else resolve({ exitCode: NOT_RUNNABLE, output: error.message });
  });
  child.on('close', (code) => {
    clearTimeout(timer);
    resolve({ exitCode: code ?? NOT_RUNNABLE, output });
  });
  // Writing to a program that exited without reading its input emits EPIPE, which would crash Node if unhandled.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return promise;
}

function cannotSwitchUser(user: OsUser): EmbeddedServerError {
  return new EmbeddedServerError(
    `PostgreSQL refuses to run as root and this process is not permitted to switch to the user "${user.name}": start Kissi as an unprivileged user.`,
  );
}

/** Tries to enter the directory instead of reading its mode: this also covers ACLs, mounts and security modules. */
export async function canAccess(user: OsUser, directory: string): Promise<boolean> {
  if (!user.dropPrivileges) return true;
  const run = await runCommand(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { cwd: '/', timeoutMs: 10_000 });
  return run.exitCode === 0;
}

export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
