// Finds the PostgreSQL data directory inside DATA_DIR, or creates it so that an incomplete one is never used.
import { lchown, mkdir, readdir, readlink, realpath, rename, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canAccess, lastLine, type OsUser, runCommand } from './command.ts';
import { diskFull, EmbeddedServerError, errorCode, isDiskFullMessage } from './errors.ts';
import {
  createSharedDirectory,
  randomHex,
  readOptional,
  SHARED_DIRECTORY,
  syncDirectory,
  writeFileAtomically,
} from './files.ts';
import { isRoot } from './os-user.ts';
import { SUPERUSER } from './password.ts';

const NAME = 'postgres';
const UNFINISHED = `${NAME}.new`;

export interface ExistingCluster {
  /** PostgreSQL's data directory, with symbolic links resolved. */
  readonly pgdata: string;
  readonly ownerUid: number;
  readonly majorVersion: string;
}

export interface NewClusterOptions {
  dataDir: string;
  osUser: OsUser;
  binaries: Binaries;
  password: string;
  /** False only if the server runs with fsync off as well. */
  durable: boolean;
}

/** Returns undefined if there is no cluster yet. Throws if there is one that this process cannot use. */
export async function findCluster(dataDir: string): Promise<ExistingCluster | undefined> {
  const path = join(dataDir, NAME);
  const pgdata = await resolveLink(path);
  if (pgdata === undefined) return undefined;
  const found = await stat(pgdata);
  if (!found.isDirectory()) throw new EmbeddedServerError(`${path} is not a directory.`);
  const entries = await readdir(pgdata).catch(() => undefined);
  if (entries?.length === 0) {
    await (pgdata === path ? rmdir(pgdata) : rm(path));
    return undefined;
  }
  checkOwner(pgdata, found.uid);
  const majorVersion = (await readOptional(join(pgdata, 'PG_VERSION')))?.trim();
  if (majorVersion) return { pgdata, ownerUid: found.uid, majorVersion };
  throw new EmbeddedServerError(
    `${pgdata} contains files but no PostgreSQL database: move them away, or set DATA_DIR to another directory.`,
  );
}

async function resolveLink(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return undefined;
    // Do not create a new cluster: the existing one may be on a disk that is not mounted.
    throw new EmbeddedServerError(
      `${path} points to ${target}, which does not exist: restore it, or remove the link to start with an empty database.`,
    );
  }
}

function checkOwner(pgdata: string, ownerUid: number): void {
  const currentUid = process.geteuid?.();
  if (isRoot() && ownerUid === 0) {
    throw new EmbeddedServerError(
      `${pgdata} belongs to root, and PostgreSQL refuses to run as root: change its owner (chown -R postgres ${pgdata}).`,
    );
  }
  if (isRoot() || ownerUid === currentUid) return;
  throw new EmbeddedServerError(
    `${pgdata} belongs to user id ${ownerUid} and this process runs as ${currentUid}: run it as that user, or change the owner (chown -R).`,
  );
}

/**
 * Runs initdb under a temporary name and renames the result to `postgres` once everything is on disk. If PostgreSQL's user
 * cannot access DATA_DIR, the cluster is created in the shared directory and a link to it is renamed instead.
 */
export async function createCluster(options: NewClusterOptions): Promise<string> {
  const { dataDir, osUser } = options;
  await removeUnfinished(dataDir);
  const id = randomHex();
  const unfinished = join(dataDir, `${UNFINISHED}-${id}`);
  const isShared = !(await canAccess(osUser, dataDir));
  const pgdata = isShared ? join(SHARED_DIRECTORY, id) : unfinished;
  try {
    if (isShared) {
      await createSharedDirectory();
      await symlink(pgdata, unfinished);
    }
    await mkdir(pgdata, 0o700);
    if (osUser.dropPrivileges) await lchown(pgdata, osUser.uid, osUser.gid);
    await runInitdb(options, pgdata);
    await syncDirectory(dirname(pgdata));
    await rename(unfinished, join(dataDir, NAME));
  } catch (error) {
    await removeUnfinished(dataDir).catch(() => {});
    throw error;
  }
  // Sync before the first write: if a power failure undid the rename, the next start would delete the cluster as unfinished.
  await syncDirectory(dataDir);
  return isShared ? pgdata : join(dataDir, NAME);
}

async function runInitdb(options: NewClusterOptions, pgdata: string): Promise<void> {
  const { dataDir, osUser, binaries, password, durable } = options;
  const passwordFile = `${pgdata}.password`;
  await writeFileAtomically(passwordFile, `${password}\n`, { mode: 0o600, owner: osUser });
  const args = ['-D', pgdata, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--data-checksums', '--encoding=UTF8'];
  args.push('--auth-local=scram-sha-256', '--auth-host=scram-sha-256');
  // The builtin C.UTF-8 locale handles all Unicode letters and, unlike libc locales, never changes with the host system.
  args.push('--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!durable) args.push('--no-sync');
  const initdb = join(binaries.directory, 'bin', 'initdb');
  const run = await runCommand(osUser, initdb, args, { cwd: pgdata, timeoutMs: 300_000 });
  await rm(passwordFile, { force: true });
  if (run.exitCode === 0) return;
  if (isDiskFullMessage(run.output)) throw diskFull(dataDir);
  throw new EmbeddedServerError(`The database could not be created in ${dataDir}: ${initdbError(run.output)}`);
}

function initdbError(output: string): string {
  const errors = output.split('\n').filter((line) => /FATAL|PANIC|ERROR|error:/.test(line));
  return errors.at(0)?.trim() ?? lastLine(output);
}

/** Every attempt has its own name, so an initdb that outlives its killed parent cannot write into the next attempt. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(dataDir, name);
    const target = await readlink(path).catch(() => undefined);
    // A link can point anywhere. Delete its target only if it is a directory that createCluster could have made.
    if (target && dirname(target) === SHARED_DIRECTORY && /^[0-9a-f]{12}$/.test(basename(target))) {
      await rm(target, { recursive: true, force: true, maxRetries: 3 });
      await rm(`${target}.password`, { force: true });
    }
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
