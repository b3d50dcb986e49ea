// Finds out from a cluster's log and control file why its server stopped or failed to start.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Receives the server's output until its logging collector has started; deleted before each start. */
export const START_LOG = 'start.log';

const TAIL_BYTES = 4096;
/** DBState value in pg_control.h: the server shut down cleanly. */
const DB_SHUTDOWNED = 1;

/** Up to four log lines that explain the failure, oldest first, joined by ` / `. */
export async function startFailureReason(pgdata: string, sinceMs: number): Promise<string> {
  const log = await newestLog(pgdata, sinceMs);
  const daily = log ? await tail(log) : '';
  // Everything before the last "starting PostgreSQL" belongs to an earlier run.
  const text = (await tail(join(pgdata, START_LOG))) + daily.slice(daily.lastIndexOf('starting PostgreSQL') + 1);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/ending log output|Future log output/.test(line));
  const errors = lines.filter((line) =>
    /FATAL|PANIC|ERROR|HINT|DETAIL|could not|error:|invalid|unrecognized/.test(line),
  );
  const chosen = (errors.length > 0 ? errors : lines).slice(-4);
  return chosen.map((line) => line.replace(/^\S+ \S+ UTC \[\d+\] /, '').trim()).join(' / ');
}

/**
 * True if someone shut the server down: pg_control records a clean shutdown, or the log an immediate shutdown request.
 * A missing pid file is not enough, because a server that exits on its own, for example on a full disk, removes it too.
 */
export async function wasStoppedDeliberately(pgdata: string): Promise<boolean> {
  if ((await readControlState(pgdata)) === DB_SHUTDOWNED) return true;
  const log = await newestLog(pgdata, 0);
  return log !== undefined && /received immediate shutdown request/.test(await tail(log));
}

/** The state follows the system identifier (8 bytes) and two version numbers (4 bytes each). */
async function readControlState(pgdata: string): Promise<number | undefined> {
  try {
    const file = await open(join(pgdata, 'global', 'pg_control'), 'r');
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

async function newestLog(pgdata: string, sinceMs: number): Promise<string | undefined> {
  let newest: { path: string; mtimeMs: number } | undefined;
  for (const name of await readdir(join(pgdata, 'log')).catch(() => [])) {
    const path = join(pgdata, 'log', name);
    const found = await stat(path).catch(() => undefined);
    // File timestamps are coarser than the clock, so allow one second.
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
