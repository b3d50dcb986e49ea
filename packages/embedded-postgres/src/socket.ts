// Finds the folder of the server's socket: short enough, and closed to everybody else.
import { lchown, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { readIfThere, writeWhole } from './files.ts';
import { PORT } from './settings.ts';
import { type Account, canEnter } from './tool.ts';

/** The systems allow 104 to 108 bytes for the path of a socket. */
const PATH_LIMIT_BYTES = 100;

export interface SocketFolder {
  readonly path: string;
  /** Makes the folder again if it vanished, as folders in /tmp do. */
  ensure(): Promise<void>;
  /** After the server has stopped. */
  discard(): Promise<void>;
}

/** Inside the cluster's own folder if the path is short enough, else in the system's folder for temporary files. */
export async function findSocketFolder(place: { cluster: string; dataDir: string; account: Account }) {
  const inside = join(place.cluster, 'run');
  if (fits(inside)) return socketFolder(inside, place.account, async () => {});
  const record = join(place.dataDir, 'postgres-socket');
  const known = (await readIfThere(record))?.trim();
  const path = known && (await isOurs(known, place.account)) ? known : await makeTemporary(place.account);
  if (path !== known) await writeWhole(record, `${path}\n`, { mode: 0o644 });
  return socketFolder(path, place.account, async () => {
    await rm(record, { force: true });
    await rm(path, { recursive: true, force: true });
  });
}

function socketFolder(path: string, account: Account, discard: () => Promise<void>): SocketFolder {
  return {
    path,
    discard,
    async ensure() {
      try {
        await mkdir(path, 0o700);
        if (account.stepDown) await lchown(path, account.uid, account.gid);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        if (await isOurs(path, account)) return;
        throw new EmbeddedServerError(`${path} must be a folder that only the user "${account.name}" can enter.`);
      }
    },
  };
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= PATH_LIMIT_BYTES;
}

/** In a folder where everybody may write, a stranger could have made the one with our name. */
async function isOurs(path: string, account: Account): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === account.uid && (found.mode & 0o077) === 0;
}

async function makeTemporary(account: Account): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!fits(join(parent, 'kissi-XXXXXX')) || !(await canEnter(account, parent))) continue;
    const path = await mkdtemp(join(parent, 'kissi-')).catch(() => undefined);
    if (path === undefined) continue;
    if (account.stepDown) await lchown(path, account.uid, account.gid);
    return path;
  }
  throw new EmbeddedServerError(
    'No folder for the database socket can be made in /tmp: make it writable, or shorten DATA_DIR.',
  );
}
