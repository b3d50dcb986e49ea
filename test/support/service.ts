// Runs the service as a separate process, as an operator does, and captures its output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const MAIN = ['src/main.ts'];

export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Standard output so far: the messages for the operator. */
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code when the process ends. */
  exited: Promise<number | null>;
  /** Sends the signal and waits for the exit; returns the exit code, or null if a signal killed the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** A temporary folder that PostgreSQL's OS user can enter, even if root creates it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'kissi-service-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** `meanwhile` runs while the service starts. `program`: a file of the repository, and its arguments. */
export async function runService(
  env: Record<string, string>,
  meanwhile: (child: ChildProcess) => Promise<void> = async () => undefined,
  [file = '', ...args]: readonly string[] = MAIN,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [pathOf(file), ...args], {
    env: { ...inheritedEnv(), PORT: '0', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('/health')) resolve();
    });
  });
  await meanwhile(child);
  await Promise.race([ready, exited]);
  return {
    url: stdout.match(/Health +(\S+)\/health/)?.[1] ?? '',
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/** The variables that a service process gets from this one; with the compile cache it starts faster. */
export function inheritedEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return NODE_COMPILE_CACHE ? { PATH, NODE_COMPILE_CACHE } : { PATH };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
