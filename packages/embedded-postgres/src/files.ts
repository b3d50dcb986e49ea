// File-system helpers: atomic writes, fsync of directories, and directories that an unprivileged user can reach.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OsUser } from './command.ts';
import { errorCode } from './errors.ts';

/** Holds files that PostgreSQL's user must reach when DATA_DIR or the checkout is accessible to root only. */
export const SHARED_DIRECTORY = '/var/lib/kissi';

/** Twelve hexadecimal digits. */
export function randomHex(): string {
  return randomBytes(6).toString('hex');
}

/** Returns undefined if the file does not exist. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a temporary file, syncs it and renames it over the target. The rename replaces a symbolic link instead of
 * following it, which matters when root writes into a directory owned by a less trusted user.
 */
export async function writeFileAtomically(path: string, content: string, options: { mode: number; owner?: OsUser }) {
  const temporary = `${path}.${randomHex()}`;
  try {
    const file = await open(temporary, 'wx', options.mode);
    try {
      await file.writeFile(content);
      if (options.owner?.dropPrivileges) await file.chown(options.owner.uid, options.owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** A rename survives a power failure only after its directory has been synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Creates missing parent directories too, and syncs each new directory's parent. */
export async function createDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let created = path; created.length >= first.length; created = dirname(created)) {
    // Opening a directory needs read permission, which a parent directory may not grant. Then it cannot be synced.
    await syncDirectory(dirname(created)).catch(() => {});
  }
}

/** Sets permissions only on directories it creates itself; existing directories keep theirs. */
export async function createSharedDirectory(path = SHARED_DIRECTORY): Promise<void> {
  try {
    await mkdir(path);
    await chmod(path, 0o755);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await createSharedDirectory(join(path, '..'));
    await createSharedDirectory(path);
  }
}
