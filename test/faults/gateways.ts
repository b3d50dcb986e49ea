// Gateway processes of the fault tests: killed, frozen and restarted at the same address; an exit by themselves is a finding.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CASHIN_SECRET, inheritedEnv, SECRETS, SERVICE, startProcess, UNLIMITED } from '@kissi/testkit/service';

const ENVIRONMENT = {
  ...SECRETS,
  ...UNLIMITED,
  PARTNER_CASHIN_WEBHOOK_SECRET: CASHIN_SECRET,
  WEBHOOK_ALLOW_PRIVATE: 'true',
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

/** `variables`: of this run. */
export async function startGateway(
  name: string,
  folder: string,
  databaseUrl: string,
  variables: Record<string, string> = {},
): Promise<Gateway> {
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
      ...variables,
      LAB: 'on',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: port,
    };
    const started = await startProcess(SERVICE, env, { stderr: log.fd, onSpawn: watch });
    await log.close();
    if (!started) return null;
    ready.add(started.child);
    return started.url;
  }

  function watch(started: ChildProcess): void {
    child = started;
    started.on('exit', (code, signal) => {
      if (ready.has(started) && !ended.has(started))
        unexpectedExits.push(`${name} exited by itself (${signal ?? code})`);
    });
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
