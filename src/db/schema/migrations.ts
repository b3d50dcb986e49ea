// Reads the migrations (sql/migrations) and applies one of them, together with its record in kysely_migration.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Queries } from '../database.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../sql/migrations/', import.meta.url));

/** The first line of a migration that runs in steps instead of in one transaction. */
const NO_TRANSACTION = '-- no-transaction';

export interface Migration {
  /** The file's name without its ending. */
  name: string;
  text: string;
}

/** In the order in which they are applied. `folder`: tests of upgrades supply migrations of their own. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.sql$/, ''),
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

/** A gateway of an earlier version reads it, and refuses to start on a schema that is newer than itself. */
const TABLE =
  'create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)';

export async function createMigrationTable(connection: Queries): Promise<void> {
  await sql.raw(TABLE).execute(connection);
}

/** A migration that fails has changed nothing, or in steps can be applied again. */
export function apply(connection: Queries, migration: Migration): Promise<void> {
  return migration.text.startsWith(NO_TRANSACTION)
    ? applyInSteps(connection, migration)
    : applyInTransaction(connection, migration);
}

// A statement that waits for a lock on a table blocks all later queries on it, payments of other gateways included.
const LOCK_TIMEOUT = '500ms';
// No step takes a lock that payments wait for. An index waits until all transactions that began before it have ended.
const STEP_LOCK_TIMEOUT = '10min';

function applyInTransaction(connection: Queries, { name, text }: Migration): Promise<void> {
  return connection.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}';\n${text}`).execute(trx);
    await record(trx, name);
  });
}

/** Each step commits by itself. Steps can be repeated: after a crash the migration begins again. */
async function applyInSteps(connection: Queries, { name, text }: Migration): Promise<void> {
  await sql.raw(`set lock_timeout = '${STEP_LOCK_TIMEOUT}'`).execute(connection);
  for (const step of text.split(/\n{2,}/)) {
    const index = /^create index concurrently if not exists (\w+)/m.exec(step)?.[1];
    if (index) await dropInvalid(connection, index);
    await sql.raw(step).execute(connection);
  }
  await record(connection, name);
}

/** An interrupted CREATE INDEX CONCURRENTLY leaves an index that no query uses, but that every write maintains. */
async function dropInvalid(connection: Queries, index: string): Promise<void> {
  const { rows } = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(
    connection,
  );
  if (rows.length > 0) await sql.raw(`drop index concurrently ${index}`).execute(connection);
}

async function record(connection: Queries, name: string): Promise<void> {
  const timestamp = new Date().toISOString();
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(connection);
}
