// The long-lived secrets: from the environment, or in development made once and kept under DATA_DIR.
import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queries } from '../db/database.ts';
import { type Config, SECRET_NAMES, type SecretName } from '../kernel/config/config.ts';

export type Secrets = Record<SecretName, string>;

const FILE = 'secrets.json';

/** The configuration has been checked before: only in development can any be missing here. */
export async function completeSecrets(config: Config): Promise<Secrets> {
  const missing = SECRET_NAMES.filter((name) => config.secrets[name] === undefined);
  const kept = missing.length > 0 ? await keptSecrets(config.dataDir) : {};
  return Object.fromEntries(SECRET_NAMES.map((name) => [name, config.secrets[name] ?? kept[name]])) as Secrets;
}

async function keptSecrets(dataDir: string): Promise<Partial<Secrets>> {
  const path = join(dataDir, FILE);
  const found = await readKept(path);
  if (found) return found;
  await mkdir(dataDir, { recursive: true });
  const made = Object.fromEntries(SECRET_NAMES.map((name) => [name, randomBytes(32).toString('base64url')]));
  // Written aside and then linked: a crash leaves no half file, and of two starts at once the first one's stays.
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  await chmod(aside, 0o600);
  await link(aside, path).catch(ignoreExisting);
  await rm(aside);
  return (await readKept(path)) ?? {};
}

async function readKept(path: string): Promise<Partial<Secrets> | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

export class WrongSecret extends Error {}

/** With another MASTER_KEY or PIN_PEPPER than before, stored secrets and PINs would be unreadable: better not to start. */
export async function checkSecrets(queries: Queries, secrets: Secrets): Promise<void> {
  for (const name of ['MASTER_KEY', 'PIN_PEPPER'] as const) {
    const mark = createHmac('sha256', secrets[name]).update(`kissi ${name}`).digest();
    const row = { name, mark };
    await queries
      .insertInto('secret_checks')
      .values(row)
      .onConflict((existing) => existing.doNothing())
      .execute();
    const kept = await queries
      .selectFrom('secret_checks')
      .select('mark')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    if (!kept.mark.equals(mark)) {
      throw new WrongSecret(
        `${name} is not the one this database was made with; nothing stored under it could be read.`,
      );
    }
  }
}
