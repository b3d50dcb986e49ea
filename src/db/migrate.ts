// Brings a database to the current schema: the files of sql/migrations, in order, forward only.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { openDatabase, type Queries } from './database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../sql/migrations/', import.meta.url));

/** The role the service works as: it may read and write, but not rewrite what must stay as it was. */
export const APP_ROLE = 'kissi_app';

// Building an index on a large table takes its time.
const MIGRATION_TIMEOUT_MS = 60 * 60_000;

async function sqlFiles(): Promise<Record<string, Migration>> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const text = await readFile(MIGRATIONS + name, 'utf8');
    migrations[name.replace(/\.sql$/, '')] = { up: async (db) => void (await sql.raw(text).execute(db)) };
  }
  return migrations;
}

/** Runs as the owner; returns the names of the migrations that were applied. */
export async function migrate(url: string): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, queryTimeoutMs: MIGRATION_TIMEOUT_MS });
  try {
    await ensureAppRole(database.queries);
    const migrator = new Migrator({ db: database.queries, provider: { getMigrations: sqlFiles } });
    const { error, results } = await migrator.migrateToLatest();
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await database.close();
  }
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
