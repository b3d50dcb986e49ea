// Stores the superuser's random password in DATA_DIR. The password never appears in command-line arguments or logs.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { lastLine, type OsUser, runCommand } from './command.ts';
import { EmbeddedServerError } from './errors.ts';
import { readOptional, writeFileAtomically } from './files.ts';

/** The bootstrap superuser that initdb creates; it also owns the database. */
export const SUPERUSER = 'kissi';

function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

/** Returns undefined if there is no password file, or if it is empty. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  return (await readOptional(passwordPath(dataDir)))?.trim() || undefined;
}

/** Hexadecimal digits only: the password is used unquoted in a URL and in an SQL statement. */
export function generatePassword(): string {
  return randomBytes(24).toString('hex');
}

export async function savePassword(dataDir: string, password: string): Promise<void> {
  await writeFileAtomically(passwordPath(dataDir), `${password}\n`, { mode: 0o600 });
}

/** Sets a new password in single-user mode, for a cluster whose password file was lost. The server must not be running. */
export async function resetPassword(
  cluster: { pgdata: string; osUser: OsUser; binaries: Binaries },
  password: string,
): Promise<void> {
  const run = await runCommand(
    cluster.osUser,
    join(cluster.binaries.directory, 'bin', 'postgres'),
    ['--single', '-D', cluster.pgdata, 'postgres'],
    { cwd: cluster.pgdata, timeoutMs: 300_000, input: `alter role ${SUPERUSER} password '${password}'\n` },
  );
  if (run.exitCode === 0) return;
  throw new EmbeddedServerError(
    `The database's password file is missing and a new password could not be set: ${lastLine(run.output)}`,
  );
}
