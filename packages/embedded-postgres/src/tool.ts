// Runs one helper program to its end, as the operating-system user that PostgreSQL runs as.
import { spawn } from 'node:child_process';
import { EmbeddedServerError, errorCode } from './errors.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** True when Node is root and has to step down to this user; false when Node is this user already. */
  readonly stepDown: boolean;
}

export interface ToolRun {
  readonly code: number;
  /** What it wrote to both of its outputs, cut at a size that cannot hurt. */
  readonly output: string;
}

export interface ToolOptions {
  cwd: string;
  timeoutMs: number;
  input?: string;
  /** Its own process group: a Ctrl-C in the terminal reaches Node only, and Node decides. */
  detached?: boolean;
}

const OUTPUT_LIMIT = 64 * 1024;
const NOT_RUNNABLE = 127;

// A fixed, small environment: PGDATA, PGPORT, PGOPTIONS or a locale of the caller must not reach PostgreSQL.
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/',
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/** Never rejects because the program failed: the exit code and the output say it. */
export function runTool(account: Account | undefined, file: string, args: string[], options: ToolOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<ToolRun>();
  const identity = account?.stepDown ? { uid: account.uid, gid: account.gid } : {};
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
    // Some containers give root without the right to change user; no retry can help there.
    if (errorCode(error) === 'EPERM' && account?.stepDown) reject(cannotStepDown(account));
    else resolve({ code: NOT_RUNNABLE, output: error.message });
  });
  child.on('close', (code) => {
    clearTimeout(timer);
    resolve({ code: code ?? NOT_RUNNABLE, output });
  });
  // A program that ends without reading its input must not take Node down with it.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return promise;
}

function cannotStepDown(account: Account): EmbeddedServerError {
  return new EmbeddedServerError(
    `PostgreSQL refuses to run as root and this process may not become the user "${account.name}": start Kissi as an ordinary user.`,
  );
}

/** By trying, not by reading modes: that also answers for access lists, mounts and security modules. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  if (!account.stepDown) return true;
  const run = await runTool(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', timeoutMs: 10_000 });
  return run.code === 0;
}

export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.trim() ?? '';
}
