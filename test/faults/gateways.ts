// Gateway processes of the fault tests: killed, frozen and restarted at the same address; an exit by themselves is a finding.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnv } from '../support/service.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
export const CASHIN_SECRET = 'faults-cashin-webhook-secret-0123456789';

/** Also verifies the seals of the ledger. */
export const MASTER_KEY = 'faults-master-key-0123456789abcdefghijkl';

const ENVIRONMENT = {
  JWT_SECRET: 'faults-jwt-secret-0123456789abcdefghijkl',
  MASTER_KEY,
  PIN_PEPPER: 'faults-pin-pepper-0123456789abcdefghijkl',
  CLOSE_SIGNING_KEY: 'dGVzdC1jbG9zZS1zaWduaW5nLWtleS0wMTIzNDU2Nzg=',
  PARTNER_CASHIN_WEBHOOK_SECRET: CASHIN_SECRET,
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_RPS: '1000000',
  RATE_LIMIT_BURST: '1000000',
  USER_RATE_LIMIT_RPS: '1000000',
  USER_RATE_LIMIT_BURST: '1000000',
  LOG_LEVEL: 'warn',
};

export interface Gateway {
  name: string;
  url: string;
  logFile: string;
  /** Exits that no fault caused. */
  unexpectedExits: string[];
  kill(): Promise<void>;
  /** Starts the process if it is not running, and retries until it is ready, as a process supervisor does. */
  ensureRunning(): Promise<void>;
  freeze(): () => void;
  isHealthy(): Promise<boolean>;
  stop(): Promise<void>;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Serializes the repairs of simultaneous faults. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let previous: Promise<void> = Promise.resolve();
  return () => {
    const current = previous.then(work);
    previous = current.catch(() => undefined);
    return current;
  };
}

const START_WITHIN_MS = 300_000;

export async function startGateway(name: string, folder: string, databaseUrl: string): Promise<Gateway> {
  const logFile = join(folder, `${name}.log`);
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  let child: ChildProcess | null = null;
  let port = '0';
  const unexpectedExits: string[] = [];
  /** Processes that became ready, and processes that the test ended. */
  const ready = new WeakSet<ChildProcess>();
  const ended = new WeakSet<ChildProcess>();

  /** Starts the process; resolves to its address, or null when it exits before it is ready. */
  async function attempt(): Promise<string | null> {
    const log = await open(logFile, 'a');
    const env = {
      ...inheritedEnv(),
      ...ENVIRONMENT,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: port,
    };
    const started = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', log.fd] });
    await log.close();
    child = started;
    started.on('exit', (code, signal) => {
      if (ready.has(started) && !ended.has(started))
        unexpectedExits.push(`${name} exited by itself (${signal ?? code})`);
    });
    for await (const line of createInterface({ input: started.stdout as NodeJS.ReadableStream })) {
      const found = line.match(/Health +(\S+)\/health/)?.[1];
      if (!found) continue;
      ready.add(started);
      started.stdout?.resume();
      return found;
    }
    return null;
  }

  async function start(): Promise<string> {
    const end = performance.now() + START_WITHIN_MS;
    for (;;) {
      const found = await attempt();
      if (found) return found;
      if (performance.now() > end) throw new Error(`${name} did not start; see ${logFile}`);
      await wait(100);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (!ending || !isRunning(ending)) return;
    ended.add(ending);
    ending.kill('SIGCONT');
    ending.kill(signal);
    await once(ending, 'exit');
  }

  const url = await start();
  port = new URL(url).port;
  return {
    name,
    url,
    logFile,
    unexpectedExits,
    kill: () => end('SIGKILL'),
    // Concurrent callers wait for the same start.
    ensureRunning: oneAtATime(async () => {
      if (!child || !isRunning(child)) await start();
    }),
    freeze() {
      child?.kill('SIGSTOP');
      return () => void child?.kill('SIGCONT');
    },
    async isHealthy() {
      const reply = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(() => null);
      return reply?.status === 200;
    },
    stop: () => end('SIGTERM'),
  };
}
