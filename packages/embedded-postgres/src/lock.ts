// Makes sure that one process at a time looks after a DATA_DIR.
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { randomName, readIfThere, writeWhole } from './files.ts';
import { isAlive, markProcess, type ProcessMark } from './processes.ts';

export interface DataDirLock {
  release(): Promise<void>;
}

interface LockContent extends ProcessMark {
  /** Tells two locks of one process apart, so that a release never removes a successor's lock. */
  readonly token: string;
}

/** Refuses with a sentence when the owner lives; takes over what a killed process left behind. */
export async function takeLock(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, 'kissi.lock');
  const self = await markProcess(process.pid);
  const token = randomName();
  const draft = `${path}.${token}`;
  await writeWhole(draft, JSON.stringify({ pid: process.pid, born: self?.born ?? '', token }), { mode: 0o644 });
  try {
    while (!(await placed(draft, path))) await removeStale(path, dataDir);
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await readLock(path))?.token === token) await rm(path, { force: true });
    },
  };
}

/** A hard link appears with its content and fails when the name is taken: nobody ever sees half a lock. */
async function placed(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Moves the lock away before the last look at it: of two processes that find the same dead owner, the slower one
 * otherwise removes the lock that the faster one has just taken.
 */
async function removeStale(path: string, dataDir: string): Promise<void> {
  await refuseIfOwned(path, dataDir);
  const aside = `${path}.${randomName()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await refuseIfOwned(aside, dataDir);
  } catch (error) {
    await placed(aside, path);
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function refuseIfOwned(path: string, dataDir: string): Promise<void> {
  const owner = await readLock(path);
  if (!owner || !(await isAlive(owner))) return;
  throw new EmbeddedServerError(`DATA_DIR ${dataDir} is in use by process ${owner.pid}.`);
}

async function readLock(path: string): Promise<LockContent | undefined> {
  const raw = await readIfThere(path);
  if (raw === undefined) return undefined;
  try {
    const { pid, born, token } = JSON.parse(raw) as Partial<LockContent>;
    return Number.isSafeInteger(pid) && pid && pid > 0 ? { pid, born: born ?? '', token: token ?? '' } : undefined;
  } catch {
    // Not written by us, or by a disk that lost it in a power cut: nobody's lock.
    return undefined;
  }
}
