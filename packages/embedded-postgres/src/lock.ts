// Ensures that only one process at a time uses a DATA_DIR. A lock left by a killed process is detected and replaced.
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { randomHex, readOptional, writeFileAtomically } from './files.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './processes.ts';

export interface DataDirLock {
  release(): Promise<void>;
}

/** The lock file's content, as JSON. */
interface LockFile {
  readonly pid: number;
  /** The process's start time; see `ProcessIdentity`. */
  readonly born: string;
  /** Distinguishes two locks taken by the same process, so that a release never removes its successor's lock. */
  readonly token: string;
}

interface LockOwner extends ProcessIdentity {
  readonly token: string;
}

/** Throws if a live process holds the lock. Takes over a lock left behind by a dead process. */
export async function acquireLock(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, 'kissi.lock');
  const self = await identifyProcess(process.pid);
  const token = randomHex();
  const content: LockFile = { pid: process.pid, born: self?.startTime ?? '', token };
  const temporary = `${path}.${token}`;
  await writeFileAtomically(temporary, JSON.stringify(content), { mode: 0o644 });
  try {
    while (!(await tryLink(temporary, path))) await removeStaleLock(path, dataDir);
  } finally {
    await rm(temporary, { force: true });
  }
  return {
    async release() {
      if ((await readLock(path))?.token === token) await rm(path, { force: true });
    },
  };
}

/** A hard link appears together with its content and fails if the name exists, so a half-written lock is never visible. */
async function tryLink(source: string, path: string): Promise<boolean> {
  try {
    await link(source, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Moves the lock aside and checks its owner a second time before deleting it. Otherwise, if two processes find the same
 * dead owner, the slower one would delete the lock that the faster one has just acquired.
 */
async function removeStaleLock(path: string, dataDir: string): Promise<void> {
  await throwIfHeld(path, dataDir);
  const aside = `${path}.${randomHex()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await throwIfHeld(aside, dataDir);
  } catch (error) {
    await tryLink(aside, path);
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function throwIfHeld(path: string, dataDir: string): Promise<void> {
  const owner = await readLock(path);
  if (!owner || !(await isAlive(owner))) return;
  throw new EmbeddedServerError(`DATA_DIR ${dataDir} is in use by process ${owner.pid}.`);
}

async function readLock(path: string): Promise<LockOwner | undefined> {
  const raw = await readOptional(path);
  if (raw === undefined) return undefined;
  try {
    const { pid, born, token } = JSON.parse(raw) as Partial<LockFile>;
    return Number.isSafeInteger(pid) && pid && pid > 0 ? { pid, startTime: born ?? '', token: token ?? '' } : undefined;
  } catch {
    // Not our format, or damaged by a power failure: treat as not locked.
    return undefined;
  }
}
