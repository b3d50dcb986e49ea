// Brings a database to the current schema: the files of sql/migrations, in order, forward only.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { SECOND_MS } from '../../kernel/clock.ts';
import { openDatabase, type Queries } from '../database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../sql/migrations/', import.meta.url));

/** The role the service works as: it may read and write, but not rewrite what must stay as it was. */
export const APP_ROLE = 'kissi_app';

// Building an index on a large table takes its time.
const MIGRATION_TIMEOUT_MS = 60 * 60_000;

// Whoever waits to change a table stops all who come after it, payments of other gateways too: it gives way soon, and comes again.
const GIVE_WAY = `set local lock_timeout = '1s';\n`;
const ATTEMPTS = 15;
const PAUSE_MS = 2 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';

/** The schema cannot be what this version needs; the message says why, for operators. */
export class SchemaError extends Error {}

async function sqlFiles(): Promise<Record<string, Migration>> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const text = await readFile(MIGRATIONS + name, 'utf8');
    migrations[name.replace(/\.sql$/, '')] = { up: async (db) => void (await sql.raw(GIVE_WAY + text).execute(db)) };
  }
  return migrations;
}

/** Runs as the owner; returns the names of the migrations that were applied. */
export async function migrate(url: string): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await ensureAppRole(database.queries);
    const migrations = await sqlFiles();
    await refuseNewer(database.queries, migrations);
    return await applyAll(new Migrator({ db: database.queries, provider: { getMigrations: async () => migrations } }));
  } finally {
    await database.close();
  }
}

/** All in one transaction, so that an attempt that gave way has changed nothing. */
async function applyAll(migrator: Migrator): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const { error, results } = await migrator.migrateToLatest();
    if (!error) return (results ?? []).map((result) => result.migrationName);
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
    if (attempt >= ATTEMPTS) {
      throw new SchemaError(
        'The schema could not be brought up to date: something holds a table for long, such as a backup, ledger:verify or a ' +
          'transaction opened by hand (pg_stat_activity shows it). Nothing was changed; start again when it is over.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** A version that does not know all of the schema may break what the newer one keeps: it does not start. */
async function refuseNewer(queries: Queries, known: Record<string, Migration>): Promise<void> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(queries);
  if (!tables[0]?.there) return;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(queries);
  const newer = rows.find(({ name }) => !(name in known));
  if (!newer) return;
  throw new SchemaError(
    `The database was brought up to date by a newer version of Kissi (${newer.name}), and this one does not know how to work ` +
      'on it. Start the newer version; docs/operations.md says how to go back.',
  );
}

/**
 * Where the database is our own, the service logs in as its role rather than as the owner, who could step out of it.
 * The password is new at each start: nobody else needs it, and nothing keeps it.
 */
export async function appUrl(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('hex');
  const database = openDatabase({ url: ownerUrl, poolSize: 1 });
  try {
    await sql.raw(`alter role ${APP_ROLE} with login password '${password}'`).execute(database.queries);
  } finally {
    await database.close();
  }
  return Object.assign(new URL(ownerUrl), { username: APP_ROLE, password }).toString();
}

async function ensureAppRole(queries: Queries): Promise<void> {
  // Two services may start on one database at the same moment: the loser of the race finds the role there.
  await sql
    .raw(`do $$ begin
      if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE} nologin; end if;
      execute format('grant ${APP_ROLE} to %I', current_user);
    exception when duplicate_object or unique_violation then null;
    end $$`)
    .execute(queries);
}
