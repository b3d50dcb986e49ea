// Keeps the random password of the database owner, which never appears in arguments or logs.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedServerError } from './errors.ts';
import { readIfThere, writeWhole } from './files.ts';
import { type Account, lastLine, runTool } from './tool.ts';

export const OWNER = 'kissi';

export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

export async function readPassword(dataDir: string): Promise<string | undefined> {
  return (await readIfThere(passwordFile(dataDir)))?.trim() || undefined;
}

/** Only hexadecimal digits: it stands unquoted in a URL and in a statement. */
export function newPassword(): string {
  return randomBytes(24).toString('hex');
}

export async function savePassword(dataDir: string, password: string): Promise<void> {
  await writeWhole(passwordFile(dataDir), `${password}\n`, { mode: 0o600 });
}

/** For a cluster whose password file was lost: without a running server, the owner of the files may set a new one. */
export async function resetPassword(
  cluster: { folder: string; account: Account; binaries: Binaries },
  password: string,
): Promise<void> {
  const run = await runTool(
    cluster.account,
    join(cluster.binaries.folder, 'bin', 'postgres'),
    ['--single', '-D', cluster.folder, 'postgres'],
    { cwd: cluster.folder, timeoutMs: 300_000, input: `alter role ${OWNER} password '${password}'\n` },
  );
  if (run.code === 0) return;
  throw new EmbeddedServerError(
    `The password file of the database was lost and a new password could not be set: ${lastLine(run.output)}`,
  );
}
