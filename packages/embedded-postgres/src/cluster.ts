// Finds the folder of the database, or makes it so that a half-made one is never mistaken for a whole one.
import { lchown, mkdir, readdir, readlink, realpath, rename, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runsAsRoot } from './account.ts';
import type { Binaries } from './binaries.ts';
import { diskFull, EmbeddedServerError, errorCode, saysDiskFull } from './errors.ts';
import { makeSharedHome, randomName, readIfThere, SHARED_HOME, syncFolder, writeWhole } from './files.ts';
import { OWNER } from './password.ts';
import { type Account, canEnter, lastLine, runTool } from './tool.ts';

const NAME = 'postgres';
const UNFINISHED = `${NAME}.new`;

export interface FoundCluster {
  readonly folder: string;
  readonly owner: number;
  readonly major: string;
}

export interface NewCluster {
  dataDir: string;
  account: Account;
  binaries: Binaries;
  password: string;
  /** False only where the caller also runs the server without fsync. */
  durable: boolean;
}

export async function findCluster(dataDir: string): Promise<FoundCluster | undefined> {
  const path = join(dataDir, NAME);
  const folder = await followLink(path);
  if (folder === undefined) return undefined;
  const found = await stat(folder);
  if (!found.isDirectory()) throw new EmbeddedServerError(`${path} is not a folder.`);
  const entries = await readdir(folder).catch(() => undefined);
  if (entries?.length === 0) {
    await (folder === path ? rmdir(folder) : rm(path));
    return undefined;
  }
  refuseForeignOwner(folder, found.uid);
  const major = (await readIfThere(join(folder, 'PG_VERSION')))?.trim();
  if (major) return { folder, owner: found.uid, major };
  throw new EmbeddedServerError(`${folder} holds files but no database of PostgreSQL: move them away or set DATA_DIR.`);
}

async function followLink(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return undefined;
    // Never begin anew here: the money may be on a disk that is merely not mounted.
    throw new EmbeddedServerError(
      `${path} points to ${target}, which is not there: bring it back, or remove the link to begin with an empty database.`,
    );
  }
}

function refuseForeignOwner(folder: string, owner: number): void {
  const self = process.geteuid?.();
  if (runsAsRoot() && owner === 0) {
    throw new EmbeddedServerError(
      `${folder} belongs to root, as whom PostgreSQL refuses to run: give it to another user (chown -R postgres ${folder}).`,
    );
  }
  if (runsAsRoot() || owner === self) return;
  throw new EmbeddedServerError(
    `${folder} belongs to the user number ${owner} and this process runs as ${self}: run it as that user, or chown -R the folder.`,
  );
}

/**
 * The name `postgres` appears by one rename when everything is on disk. Where PostgreSQL's user cannot enter DATA_DIR
 * the cluster is made elsewhere and what is renamed is the link to it.
 */
export async function createCluster(wanted: NewCluster): Promise<string> {
  const { dataDir, account } = wanted;
  await sweepUnfinished(dataDir);
  const id = randomName();
  const unfinished = join(dataDir, `${UNFINISHED}-${id}`);
  const elsewhere = !(await canEnter(account, dataDir));
  const making = elsewhere ? join(SHARED_HOME, id) : unfinished;
  try {
    if (elsewhere) {
      await makeSharedHome();
      await symlink(making, unfinished);
    }
    await mkdir(making, 0o700);
    if (account.stepDown) await lchown(making, account.uid, account.gid);
    await runInitdb(wanted, making);
    await syncFolder(dirname(making));
    await rename(unfinished, join(dataDir, NAME));
  } catch (error) {
    await sweepUnfinished(dataDir).catch(() => {});
    throw error;
  }
  // From here on money is written: if a power cut undid the rename, the next start would sweep the cluster away.
  await syncFolder(dataDir);
  return elsewhere ? making : join(dataDir, NAME);
}

async function runInitdb({ dataDir, account, binaries, password, durable }: NewCluster, folder: string): Promise<void> {
  const passwordFile = `${folder}.password`;
  await writeWhole(passwordFile, `${password}\n`, { mode: 0o600, owner: account });
  const args = ['-D', folder, '-U', OWNER, `--pwfile=${passwordFile}`, '--data-checksums', '--encoding=UTF8'];
  args.push('--auth-local=scram-sha-256', '--auth-host=scram-sha-256');
  // PostgreSQL's own C.UTF-8 knows the letters of all languages and does not change with the host's C library.
  args.push('--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!durable) args.push('--no-sync');
  const run = await runTool(account, join(binaries.folder, 'bin', 'initdb'), args, { cwd: folder, timeoutMs: 300_000 });
  await rm(passwordFile, { force: true });
  if (run.code === 0) return;
  if (saysDiskFull(run.output)) throw diskFull(dataDir);
  throw new EmbeddedServerError(`The database could not be created in ${dataDir}: ${initdbReason(run.output)}`);
}

function initdbReason(output: string): string {
  const reasons = output.split('\n').filter((line) => /FATAL|PANIC|ERROR|error:/.test(line));
  return reasons.at(0)?.trim() ?? lastLine(output);
}

/** Each attempt has a name of its own, so that an initdb which outlived its killed parent cannot write into the next. */
async function sweepUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const path = join(dataDir, name);
    const target = await readlink(path).catch(() => undefined);
    // A link could point anywhere: only what has the shape of our own work is removed behind it.
    if (target && dirname(target) === SHARED_HOME && /^[0-9a-f]{12}$/.test(target.slice(SHARED_HOME.length + 1))) {
      await rm(target, { recursive: true, force: true, maxRetries: 3 });
      await rm(`${target}.password`, { force: true });
    }
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
