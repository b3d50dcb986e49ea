// Long-lived secrets: from the environment or, in development, generated once and stored under DATA_DIR.
import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queries } from '../db/database.ts';
import { type Config, SECRET_NAMES, type SecretName } from '../kernel/config/config.ts';

export type Secrets = Record<SecretName, string>;

const FILE = 'secrets.json';

/** Secrets can be missing only in development: the configuration requires them elsewhere. */
export async function completeSecrets(config: Config): Promise<Secrets> {
  const missing = SECRET_NAMES.filter((name) => config.secrets[name] === undefined);
  const stored = missing.length > 0 ? await storedSecrets(config.dataDir) : {};
  const found = (name: SecretName) => config.secrets[name] ?? stored[name];
  return Object.fromEntries(
    SECRET_NAMES.map((name) => [name, found(name) ?? derived(found('MASTER_KEY'), name)]),
  ) as Secrets;
}

/** For a file of an earlier version, which lacks the secret: all gateways of the directory derive the same one. */
function derived(masterKey: string | undefined, name: SecretName): string {
  return createHmac('sha256', String(masterKey)).update(`kissi development ${name}`).digest('base64url');
}

/** For tools that use the service's key: from the environment, or from the file that a service wrote. `hint` ends the error. */
export async function existingMasterKey(config: Config, hint: string): Promise<string> {
  const key = config.secrets.MASTER_KEY ?? (await readStored(join(config.dataDir, FILE)))?.MASTER_KEY;
  if (key === undefined) {
    throw new Error(`MASTER_KEY is not set, ${hint}`);
  }
  return key;
}

async function storedSecrets(dataDir: string): Promise<Partial<Secrets>> {
  const path = join(dataDir, FILE);
  const found = await readStored(path);
  if (found) return found;
  await mkdir(dataDir, { recursive: true });
  const generated = Object.fromEntries(SECRET_NAMES.map((name) => [name, randomBytes(32).toString('base64url')]));
  // Writes a temporary file and links it: a crash leaves no partial file, and of two concurrent starts the first wins.
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await link(temporary, path).catch(ignoreExisting);
  await rm(temporary);
  return (await readStored(path)) ?? {};
}

async function readStored(path: string): Promise<Partial<Secrets> | null> {
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

/** Refuses to start with another MASTER_KEY or PIN_PEPPER than before: stored secrets and PINs would be unusable. */
export async function checkSecrets(queries: Queries, secrets: Secrets): Promise<void> {
  for (const name of ['MASTER_KEY', 'PIN_PEPPER'] as const) {
    const row = { name, mark: markOf(name, secrets[name]) };
    await queries
      .insertInto('secret_checks')
      .values(row)
      .onConflict((existing) => existing.doNothing())
      .execute();
    await checkStored(queries, name, secrets[name]);
  }
}

/** For tools, which write nothing: a database that no service used yet accepts any key. */
export function checkMasterKey(queries: Queries, masterKey: string): Promise<void> {
  return checkStored(queries, 'MASTER_KEY', masterKey);
}

export async function checkStored(queries: Queries, name: SecretName, secret: string): Promise<void> {
  const stored = await queries.selectFrom('secret_checks').select('mark').where('name', '=', name).executeTakeFirst();
  if (!stored || stored.mark.equals(markOf(name, secret))) return;
  throw new WrongSecret(
    `${name} is not the one this database was created with: the data encrypted or hashed with it cannot be read.`,
  );
}

function markOf(name: SecretName, secret: string): Buffer {
  return createHmac('sha256', secret).update(`kissi ${name}`).digest();
}
