// The service as an operator runs it: a process of its own, its terminal read line by line.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** What it has printed for people so far. */
  printed(): string;
  logged(): string;
  /** Waits for the end, which somebody else has asked for. */
  exited: Promise<number | null>;
  /** Sends the signal and waits for the end; the exit code, or null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A folder that PostgreSQL can enter even when root makes it, removed by the returned function. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'kissi-service-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** `meanwhile` is done while it starts. */
export async function runService(
  env: Record<string, string>,
  meanwhile: (child: ChildProcess) => Promise<void> = async () => undefined,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH ?? '', PORT: '0', ...env } });
  let printed = '';
  let logged = '';
  child.stderr.on('data', (chunk) => {
    logged += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('/health')) resolve();
    });
  });
  await meanwhile(child);
  await Promise.race([ready, exited]);
  return {
    url: printed.match(/Health +(\S+)\/health/)?.[1] ?? '',
    child,
    printed: () => printed,
    logged: () => logged,
    exited,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/** One that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks again until it holds; what must come true soon is not waited for by the clock. */
export async function eventually(what: string, check: () => Promise<boolean>, withinMs = 15_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`did not come true in time: ${what}`);
}
