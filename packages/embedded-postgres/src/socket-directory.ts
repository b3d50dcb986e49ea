// Chooses the directory of the server's Unix socket: its path must be short, and no other user may access it.
import { lchown, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canAccess, type OsUser } from './command.ts';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { readOptional, writeFileAtomically } from './files.ts';
import { PORT } from './settings.ts';

/** Operating systems limit the path of a Unix socket to between 104 and 108 bytes. */
const PATH_LIMIT_BYTES = 100;

export interface SocketDirectory {
  readonly path: string;
  /** Creates the directory if it is missing: systems clean up /tmp. */
  ensure(): Promise<void>;
  /** Call after the server has stopped. */
  remove(): Promise<void>;
}

/** Uses `run` inside the data directory if the path is short enough, otherwise a directory in the system's temporary directory. */
export async function chooseSocketDirectory(cluster: { pgdata: string; dataDir: string; osUser: OsUser }) {
  const { osUser } = cluster;
  const inside = join(cluster.pgdata, 'run');
  if (fitsPathLimit(inside)) return socketDirectory(inside, osUser, async () => {});
  const record = join(cluster.dataDir, 'postgres-socket');
  const recorded = (await readOptional(record))?.trim();
  const path = recorded && (await isPrivateTo(recorded, osUser)) ? recorded : await createTemporary(osUser);
  if (path !== recorded) await writeFileAtomically(record, `${path}\n`, { mode: 0o644 });
  return socketDirectory(path, osUser, async () => {
    await rm(record, { force: true });
    await rm(path, { recursive: true, force: true });
  });
}

function socketDirectory(path: string, osUser: OsUser, remove: () => Promise<void>): SocketDirectory {
  return {
    path,
    remove,
    async ensure() {
      try {
        await mkdir(path, 0o700);
        if (osUser.dropPrivileges) await lchown(path, osUser.uid, osUser.gid);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        if (await isPrivateTo(path, osUser)) return;
        throw new EmbeddedServerError(`${path} must be a directory that only the user "${osUser.name}" can access.`);
      }
    },
  };
}

function fitsPathLimit(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${PORT}`)) <= PATH_LIMIT_BYTES;
}

/** In a world-writable directory such as /tmp, another user could have created a directory with this name. */
async function isPrivateTo(path: string, osUser: OsUser): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === osUser.uid && (found.mode & 0o077) === 0;
}

async function createTemporary(osUser: OsUser): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!fitsPathLimit(join(parent, 'kissi-XXXXXX')) || !(await canAccess(osUser, parent))) continue;
    const path = await mkdtemp(join(parent, 'kissi-')).catch(() => undefined);
    if (path === undefined) continue;
    if (osUser.dropPrivileges) await lchown(path, osUser.uid, osUser.gid);
    return path;
  }
  throw new EmbeddedServerError(
    'The directory of the database socket cannot be created in /tmp: make /tmp writable, or use a shorter DATA_DIR.',
  );
}
