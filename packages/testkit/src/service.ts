// Runs the service as a separate process, as an operator does, and captures its output.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ownProcess } from './guard.ts';

const findFile = (file: string) => resolve(fileURLToPath(new URL('../../../', import.meta.url)), file);
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

/** `meanwhile` runs while the service starts. `program`: a file of this or another checkout, and its arguments. */
export async function runService(
  env: Record<string, string>,
  meanwhile: (child: ChildProcess) => Promise<void> = async () => undefined,
  [file = '', ...args]: readonly string[] = MAIN,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [findFile(file), ...args], {
    env: { ...inheritedEnv(), PORT: '0', ...env },
  });
  ownProcess(child);
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
    url: ADDRESS.exec(stdout)?.[1] ?? '',
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

const ADDRESS = /Health +(\S+)\/health/;

export interface StartedProcess {
  url: string;
  child: ChildProcess;
  /** Ends the process, if it is still running, and waits for its exit. */
  stop(): Promise<void>;
}

/** Starts a program and resolves when it has printed its address; null if it exits before. */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  {
    nodeFlags = [],
    address = ADDRESS,
    stderr = 'inherit',
    onSpawn = () => undefined,
    onLine = () => undefined,
  }: {
    nodeFlags?: readonly string[];
    /** Its first group is the address. */
    address?: RegExp;
    /** A file descriptor, such as a log's. */
    stderr?: number | 'inherit' | 'ignore';
    onSpawn?: (child: ChildProcess) => void;
    /** Lines before the address, such as the reason why it does not start. */
    onLine?: (line: string) => void;
  } = {},
): Promise<StartedProcess | null> {
  const child = spawn(process.execPath, [...nodeFlags, file], { env, stdio: ['ignore', 'pipe', stderr] });
  ownProcess(child);
  onSpawn(child);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = address.exec(line)?.[1];
    if (!url) {
      onLine(line);
      continue;
    }
    child.stdout?.resume();
    return { url, child, stop: () => stopProcess(child) };
  }
  return null;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The service of this checkout. */
export const SERVICE = findFile(MAIN[0] ?? '');

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

/** Secrets of services that several tools start on the same database: it is usable only with those it was made with. */
export const SECRETS = {
  JWT_SECRET: 'testkit-jwt-secret-0123456789abcdefghijkl',
  MASTER_KEY: 'testkit-master-key-0123456789abcdefghijkl',
  PIN_PEPPER: 'testkit-pin-pepper-0123456789abcdefghijkl',
  CLOSE_SIGNING_KEY: 'dGVzdC1jbG9zZS1zaWduaW5nLWtleS0wMTIzNDU2Nzg=',
};

/** Signs cash-in notifications to services that are started with it (PARTNER_CASHIN_WEBHOOK_SECRET). */
export const CASHIN_SECRET = 'testkit-cashin-webhook-secret-0123456789';

/** For load: any free port, no limits of requests, and an administrator. */
export const UNLIMITED = {
  PORT: '0',
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  USER_RATE_LIMIT_RPS: '1000000',
  USER_RATE_LIMIT_BURST: '1000000',
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
};

/**
 * The variables that a service process gets from this one. With the compile cache it starts faster; FAST_LANE=off runs the
 * same tests without the fast lane.
 */
export function inheritedEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '', FAST_LANE = '' } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...(FAST_LANE ? { FAST_LANE } : {}) };
}

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

export async function freePort(): Promise<number> {
  return (await freePorts(1))[0] as number;
}

/** Runs a script of the repository to its end. */
export function runScript(file: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...inheritedEnv(), ...env } };
    const child = execFile(process.execPath, [findFile(file)], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: (stdout + stderr).trim() }),
    );
    ownProcess(child);
  });
}
