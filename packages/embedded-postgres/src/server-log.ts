// Reads from the files of a cluster why its server went down or did not come up.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Holds what the server says before its own log begins; emptied before each start. */
export const START_LOG = 'start.log';

const TAIL_BYTES = 4096;
const SHUT_DOWN = 1;

/** The few lines that tell why, the newest last. */
export async function reasonFromLog(folder: string, sinceMs: number): Promise<string> {
  const log = await newestLog(folder, sinceMs);
  const daily = log ? await tail(log) : '';
  // What stands before belongs to an earlier run.
  const text = (await tail(join(folder, START_LOG))) + daily.slice(daily.lastIndexOf('starting PostgreSQL') + 1);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/ending log output|Future log output/.test(line));
  const telling = lines.filter((line) =>
    /FATAL|PANIC|ERROR|HINT|DETAIL|could not|error:|invalid|unrecognized/.test(line),
  );
  const chosen = (telling.length > 0 ? telling : lines).slice(-4);
  return chosen.map((line) => line.replace(/^\S+ \S+ UTC \[\d+\] /, '').trim()).join(' / ');
}

/**
 * The pid file alone cannot tell: it is gone too when a server gives up by itself, on a full disk for instance. So the
 * control file has to say "shut down", or the log that somebody asked for an immediate end.
 */
export async function wasStoppedOnPurpose(folder: string): Promise<boolean> {
  if ((await controlState(folder)) === SHUT_DOWN) return true;
  const log = await newestLog(folder, 0);
  return log !== undefined && /received immediate shutdown request/.test(await tail(log));
}

/** The state stands behind the system identifier (8 bytes) and two version numbers (4 bytes each). */
async function controlState(folder: string): Promise<number | undefined> {
  try {
    const file = await open(join(folder, 'global', 'pg_control'), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 16);
      return bytesRead === 4 ? new Int32Array(buffer.buffer, buffer.byteOffset, 1)[0] : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function newestLog(folder: string, sinceMs: number): Promise<string | undefined> {
  let newest: { path: string; mtimeMs: number } | undefined;
  for (const name of await readdir(join(folder, 'log')).catch(() => [])) {
    const path = join(folder, 'log', name);
    const found = await stat(path).catch(() => undefined);
    // File times are coarser than the clock.
    if (!found?.isFile() || found.mtimeMs < sinceMs - 1000) continue;
    if (!newest || found.mtimeMs > newest.mtimeMs) newest = { path, mtimeMs: found.mtimeMs };
  }
  return newest?.path;
}

async function tail(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(0, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
