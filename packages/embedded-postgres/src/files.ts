// Small file habits shared by this folder: whole or not at all, durable, and owned by the right user.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './errors.ts';
import type { Account } from './tool.ts';

/** Where things go that a user other than root must reach when DATA_DIR or the checkout is closed to it. */
export const SHARED_HOME = '/var/lib/kissi';

export function randomName(): string {
  return randomBytes(6).toString('hex');
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step. The rename also replaces a symbolic link instead of following it: as root we write into
 * folders that the less trusted user owns.
 */
export async function writeWhole(path: string, content: string, options: { mode: number; owner?: Account }) {
  const draft = `${path}.${randomName()}`;
  try {
    const file = await open(draft, 'wx', options.mode);
    try {
      await file.writeFile(content);
      if (options.owner?.stepDown) await file.chown(options.owner.uid, options.owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** A rename survives a power cut only once its folder is on disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** With the folders above it, each of them durable in the one above. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    // Passing through a folder does not need the right to read it; then this care is not possible.
    await syncFolder(dirname(made)).catch(() => {});
  }
}

/** Opens only what it creates itself: permissions of folders that were there are not ours to change. */
export async function makeSharedHome(path = SHARED_HOME): Promise<void> {
  try {
    await mkdir(path);
    await chmod(path, 0o755);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeSharedHome(join(path, '..'));
    await makeSharedHome(path);
  }
}
