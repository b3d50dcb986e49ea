// Watches the server process: heals a crash, and leaves alone what an operator does on purpose.
import { sight } from './postmaster.ts';
import { isAlive, type ProcessMark } from './processes.ts';
import { wasStoppedOnPurpose } from './server-log.ts';

export type Report = (event: { level: 'info' | 'warn' | 'error'; message: string }) => void;

export interface Supervisor {
  /** Resolves when no restart is under way any more and none can begin. */
  stop(): Promise<void>;
}

export interface Supervised {
  folder: string;
  postmaster: ProcessMark;
  restart(): Promise<ProcessMark>;
  report: Report;
}

const LOOK_EVERY_MS = 500;
const STEADY_AFTER_MS = 60_000;
const LONGEST_DELAY_MS = 30_000;

/** At once, then after 1, 2, 4 … 30 seconds. */
function delayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_DELAY_MS, 1000 * 2 ** (failures - 1));
}

export function supervise({ folder, postmaster, restart, report }: Supervised): Supervisor {
  let state: 'up' | 'crashed' | 'stopped by others' = 'up';
  let current = postmaster;
  let upSince = performance.now();
  let restarts = 0;
  let nextRestartAt = 0;
  let looking: Promise<void> | undefined;

  function comeUp(found: ProcessMark): void {
    state = 'up';
    current = found;
    upSince = performance.now();
    report({ level: 'info', message: `PostgreSQL is running again (process ${found.pid}).` });
  }

  async function look(): Promise<void> {
    // A frozen server is alive: somebody is looking at it with a debugger, or the machine is asleep.
    if (state === 'up' && (await isAlive(current))) return;
    const seen = await sight(folder);
    if (seen.state === 'running') comeUp(seen.postmaster);
    else if (state === 'up') await goDown(seen.state === 'dead');
    // Somebody started it and it crashed between two looks.
    else if (state === 'stopped by others' && seen.state === 'dead') await goDown(true);
    if (state === 'crashed' && performance.now() >= nextRestartAt) await heal();
  }

  async function goDown(leftItsPidFile: boolean): Promise<void> {
    if (!leftItsPidFile && (await wasStoppedOnPurpose(folder))) {
      state = 'stopped by others';
      report({ level: 'warn', message: 'PostgreSQL was stopped by somebody else; waiting until it is started again.' });
      return;
    }
    const steady = performance.now() - upSince > STEADY_AFTER_MS;
    state = 'crashed';
    if (steady) restarts = 0;
    nextRestartAt = performance.now() + delayMs(restarts);
    report({ level: 'error', message: `PostgreSQL (process ${current.pid}) died; starting it again.` });
  }

  async function heal(): Promise<void> {
    restarts += 1;
    try {
      comeUp(await restart());
    } catch (error) {
      const delay = delayMs(restarts);
      nextRestartAt = performance.now() + delay;
      const reason = error instanceof Error ? error.message : String(error);
      report({ level: 'error', message: `${reason} (next attempt in ${delay / 1000} s)` });
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => report({ level: 'error', message: `Watching PostgreSQL failed: ${String(error)}` }))
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_EVERY_MS).unref();

  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
