// Restarts the server after a crash, with exponential backoff. Leaves it stopped if someone shut it down deliberately.
import { inspectPostmaster } from './postmaster.ts';
import { isAlive, type ProcessIdentity } from './processes.ts';
import { wasStoppedDeliberately } from './server-log.ts';

export type Reporter = (event: { level: 'info' | 'warn' | 'error'; message: string }) => void;

export interface Supervisor {
  /** Resolves when no restart is in progress and none can begin. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  pgdata: string;
  postmaster: ProcessIdentity;
  restart(): Promise<ProcessIdentity>;
  report: Reporter;
}

const POLL_INTERVAL_MS = 500;
/** A server that ran this long counts as healthy: the backoff of its next restart begins again at zero. */
const STABLE_AFTER_MS = 60_000;
const MAX_DELAY_MS = 30_000;

/** 0 s for the first restart, then 1, 2, 4 … 30 s. */
function backoffMs(previousRestarts: number): number {
  return previousRestarts === 0 ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (previousRestarts - 1));
}

export function supervise({ pgdata, postmaster, restart, report }: SupervisorOptions): Supervisor {
  let state: 'up' | 'crashed' | 'stopped deliberately' = 'up';
  let current = postmaster;
  let upSince = performance.now();
  let restarts = 0;
  let nextRestartAt = 0;
  let checking: Promise<void> | undefined;

  function markUp(found: ProcessIdentity): void {
    state = 'up';
    current = found;
    upSince = performance.now();
    report({ level: 'info', message: `PostgreSQL is running again (process ${found.pid}).` });
  }

  async function check(): Promise<void> {
    // Only an exited process counts as down. A suspended one may be attached to a debugger, or the machine may be asleep.
    if (state === 'up' && (await isAlive(current))) return;
    const status = await inspectPostmaster(pgdata);
    if (status.state === 'running') markUp(status.postmaster);
    else if (state === 'up') await markDown(status.state === 'dead');
    // Someone started it again and it crashed between two polls.
    else if (state === 'stopped deliberately' && status.state === 'dead') await markDown(true);
    if (state === 'crashed' && performance.now() >= nextRestartAt) await tryRestart();
  }

  async function markDown(leftPidFile: boolean): Promise<void> {
    if (!leftPidFile && (await wasStoppedDeliberately(pgdata))) {
      state = 'stopped deliberately';
      report({ level: 'warn', message: 'PostgreSQL was shut down externally; waiting for it to be started again.' });
      return;
    }
    const wasStable = performance.now() - upSince > STABLE_AFTER_MS;
    state = 'crashed';
    if (wasStable) restarts = 0;
    nextRestartAt = performance.now() + backoffMs(restarts);
    report({ level: 'error', message: `PostgreSQL (process ${current.pid}) crashed; restarting it.` });
  }

  async function tryRestart(): Promise<void> {
    restarts += 1;
    try {
      markUp(await restart());
    } catch (error) {
      const delayMs = backoffMs(restarts);
      nextRestartAt = performance.now() + delayMs;
      const reason = error instanceof Error ? error.message : String(error);
      report({ level: 'error', message: `${reason} (next attempt in ${delayMs / 1000} s)` });
    }
  }

  const timer = setInterval(() => {
    checking ??= check()
      .catch((error: unknown) => report({ level: 'error', message: `Supervising PostgreSQL failed: ${String(error)}` }))
      .finally(() => {
        checking = undefined;
      });
  }, POLL_INTERVAL_MS).unref();

  return {
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}
