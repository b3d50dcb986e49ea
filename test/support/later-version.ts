// A later version, for tests of upgrades: this one with example migrations that the test supplies.
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS_FOLDER } from '../../src/db/schema/migrations.ts';

/** By name, such as 0002_example. */
export type Migrations = Record<string, string>;

export interface Folder {
  path: string;
  remove(): Promise<void>;
}

async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'kissi-later-version-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The migrations of the later version, for `migrate`. */
export async function migrationsWith(examples: Migrations): Promise<Folder> {
  const folder = await temporaryFolder();
  await addMigrations(folder.path, examples);
  return folder;
}

async function addMigrations(folder: string, examples: Migrations): Promise<void> {
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  for (const [name, text] of Object.entries(examples)) await writeFile(join(folder, `${name}.sql`), text);
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
/** What differs between versions. Node finds modules by a file's real path, so a link would lead to this version. */
const COPIED = ['src', 'scripts'];

/** A checkout of the later version. `catalogue`: sql/catalogue.txt as its npm run db:types writes it. */
export async function checkoutWith(examples: Migrations, catalogue: string): Promise<Folder> {
  const folder = await temporaryFolder();
  for (const name of COPIED) await cp(join(CHECKOUT, name), join(folder.path, name), { recursive: true });
  await mkdir(join(folder.path, 'sql'));
  await addMigrations(join(folder.path, 'sql', 'migrations'), examples);
  await writeFile(join(folder.path, 'sql', 'catalogue.txt'), catalogue);
  for (const name of await readdir(CHECKOUT)) {
    if (name === 'sql' || COPIED.includes(name)) continue;
    await symlink(join(CHECKOUT, name), join(folder.path, name));
  }
  return folder;
}
