// Ends the processes and removes the folders that a test file left behind.
import { execFile } from 'node:child_process';
import { glob, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inspectPostmaster } from '@kissi/embedded-postgres';

export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) kill(-pid);
}

/** Removes a folder of temporary files, with the PostgreSQL servers and the mounts inside it. */
export async function removeFolder(folder: string): Promise<void> {
  // A PostgreSQL server has its own session, so killing the process group of the test does not reach it.
  for await (const path of glob(join(folder, '**/postmaster.pid'))) {
    const status = await inspectPostmaster(dirname(path));
    if (status.state === 'running') kill(status.postmaster.pid);
  }
  for (const mount of await mountsIn(folder)) {
    await promisify(execFile)('umount', ['--lazy', mount]).catch(() => undefined);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

async function mountsIn(folder: string): Promise<string[]> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  return mounts.split('\n').flatMap((line) => {
    const [, path = ''] = line.split(' ');
    return path.startsWith(`${folder}/`) ? [path] : [];
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
