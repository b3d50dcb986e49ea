// A lock between processes: a file that only one of them can create.
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
/** Longer than a renewal with its retries takes. */
const GIVE_UP_MS = 120_000;

/** Runs `work` while no other process has the lock. A lock whose process has ended is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await create(path))) {
    if (await removeAbandoned(path)) continue;
    if (performance.now() > giveUpAt)
      throw new Error(`${path} is locked by another process; remove it if none is running.`);
    await delay(POLL_MS);
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock of a process that has ended. Moved aside first: another process may have replaced it. */
async function removeAbandoned(path: string): Promise<boolean> {
  const owner = await readFile(path, 'utf8').catch(() => '');
  // Empty between creation and writing, or already removed.
  if (owner === '' || isRunning(Number(owner))) return false;
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== owner) await link(aside, path);
    await rm(aside);
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
