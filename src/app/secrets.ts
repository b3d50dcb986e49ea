// Long-lived secrets: from the environment or, in development, generated once and stored under DATA_DIR.
import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, SECRET_NAMES, type SecretName } from '../kernel/config/config.ts';
import { type KeyRing, type Keys, parseKeys, ringOf } from '../kernel/key-ring.ts';

export interface Secrets {
  JWT_SECRET: string;
  CLOSE_SIGNING_KEY: string;
  MASTER_KEY: Keys;
  PIN_PEPPER: Keys;
}

type Texts = Record<SecretName, string>;

/** With rings, which the whole process shares: they follow what is written under. */
export interface RunningSecrets extends Secrets {
  MASTER_KEY: KeyRing;
  PIN_PEPPER: KeyRing;
}

const FILE = 'secrets.json';

/** Secrets can be missing only in development: the configuration requires them elsewhere. */
export async function completeSecrets(config: Config): Promise<RunningSecrets> {
  const missing = SECRET_NAMES.filter((name) => config.secrets[name] === undefined);
  const stored = missing.length > 0 ? await storedSecrets(config.dataDir) : {};
  const found = (name: SecretName) => config.secrets[name] ?? stored[name];
  const texts = Object.fromEntries(
    SECRET_NAMES.map((name) => [name, found(name) ?? derived(found('MASTER_KEY'), name)]),
  ) as Texts;
  return { ...texts, MASTER_KEY: ringOf(texts.MASTER_KEY), PIN_PEPPER: ringOf(texts.PIN_PEPPER) };
}

/** For a file of an earlier version, which lacks the secret: all gateways of the directory derive the same one. */
function derived(masterKey: string | undefined, name: SecretName): string {
  return createHmac('sha256', parseKeys(String(masterKey)).at(-1)?.value ?? '')
    .update(`kissi development ${name}`)
    .digest('base64url');
}

/** For tools that use the service's key: from the environment, or from the file that a service wrote. `hint` ends the error. */
export async function existingMasterKey(config: Config, hint: string): Promise<KeyRing> {
  const key = config.secrets.MASTER_KEY ?? (await readStored(join(config.dataDir, FILE)))?.MASTER_KEY;
  if (key === undefined) {
    throw new Error(`MASTER_KEY is not set, ${hint}`);
  }
  return ringOf(key);
}

/** The same for both rings. */
export async function existingKeys(config: Config): Promise<Pick<RunningSecrets, 'MASTER_KEY' | 'PIN_PEPPER'>> {
  const MASTER_KEY = await existingMasterKey(
    config,
    "and nothing can be decrypted without it. Set it to the service's key.",
  );
  const pepper = config.secrets.PIN_PEPPER ?? (await readStored(join(config.dataDir, FILE)))?.PIN_PEPPER;
  if (pepper === undefined) throw new Error("PIN_PEPPER is not set. Set it to the service's.");
  return { MASTER_KEY, PIN_PEPPER: ringOf(pepper) };
}

async function storedSecrets(dataDir: string): Promise<Partial<Texts>> {
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

async function readStored(path: string): Promise<Partial<Texts> | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Texts>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
