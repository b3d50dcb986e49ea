// Migrates a database to the current schema: the files of sql/migrations, in order, forward only.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { SECOND_MS } from '../../kernel/clock.ts';
import { openDatabase, type Queries } from '../database.ts';
import { sqlState } from '../driver/errors.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../sql/migrations/', import.meta.url));

/** The role of the service. It may read and write, but not change records that must stay as they were written. */
export const APP_ROLE = 'kissi_app';

// Building an index on a large table takes long.
const MIGRATION_TIMEOUT_MS = 60 * 60_000;

// A migration that waits for a lock on a table blocks all later queries on it, payments of other gateways included. It gives
// up after a second and tries again later.
const LOCK_TIMEOUT = `set local lock_timeout = '1s';\n`;
const ATTEMPTS = 15;
const RETRY_AFTER_MS = 2 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';

/** The schema cannot be migrated to what this version needs. The message tells operators why. */
export class SchemaError extends Error {}

async function sqlFiles(): Promise<Record<string, Migration>> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const migrations: Record<string, Migration> = {};
  for (const name of names) {
    const text = await readFile(MIGRATIONS + name, 'utf8');
    migrations[name.replace(/\.sql$/, '')] = {
      up: async (db) => void (await sql.raw(LOCK_TIMEOUT + text).execute(db)),
    };
  }
  return migrations;
}

/** Runs as the owner of the tables. Returns the names of the migrations it applied. */
export async function migrate(url: string): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, timeouts: { queryMs: MIGRATION_TIMEOUT_MS } });
  try {
    await ensureAppRole(database.queries);
    const migrations = await sqlFiles();
    rejectNewer(await appliedMigrations(database.queries), migrations);
    return await applyAll(new Migrator({ db: database.queries, provider: { getMigrations: async () => migrations } }));
  } finally {
    await database.close();
  }
}

/** All in one transaction: an attempt that gives up has changed nothing. */
async function applyAll(migrator: Migrator): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const { error, results } = await migrator.migrateToLatest();
    if (!error) return (results ?? []).map((result) => result.migrationName);
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    if (attempt >= ATTEMPTS) {
      throw new SchemaError(
        'The schema could not be migrated: another session holds a lock on a table, such as a backup, ledger:verify or a ' +
          'transaction opened by hand (pg_stat_activity shows it). Nothing was changed; start again when it has ended.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
}

/** For a service that does not migrate: it starts only on the schema that this version needs. */
export async function requireCurrentSchema(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const known = await sqlFiles();
    const applied = await appliedMigrations(database.queries);
    rejectNewer(applied, known);
    const missing = Object.keys(known).filter((name) => !applied.includes(name));
    if (missing.length === 0) return;
    throw new SchemaError(
      `The database lacks ${missing.length} migration(s), the first one ${missing[0]}. Run npm run db:migrate with ` +
        'DATABASE_ADMIN_URL set to the login of the owner, then start again. Nothing was changed.',
    );
  } finally {
    await database.close();
  }
}

const NO_SUCH_TABLE = '42P01';
const NO_PERMISSION = '42501';

/** Empty if there are none, or if this login may not read them: before 0022 only the owner could. */
async function appliedMigrations(queries: Queries): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(queries);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (sqlState(error) === NO_SUCH_TABLE || sqlState(error) === NO_PERMISSION) return [];
    throw error;
  }
}

/** A version that does not know the whole schema may corrupt data of a newer one: it does not start. */
function rejectNewer(applied: string[], known: Record<string, Migration>): void {
  const newer = applied.find((name) => !(name in known));
  if (!newer) return;
  throw new SchemaError(
    `The database was migrated by a newer version of Kissi (${newer}), which this version cannot work with. ` +
      'Start the newer version; docs/operations.md says how to go back.',
  );
}

/**
 * The URL with which the service logs in as its own role on the embedded database, so that it cannot act as the owner. The
 * password is new at each start and stored nowhere.
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
  // When two services start on one database at once, the second finds that the role exists.
  await sql
    .raw(`do $$ begin
      if not exists (select from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE} nologin; end if;
      execute format('grant ${APP_ROLE} to %I', current_user);
    exception when duplicate_object or unique_violation then null;
    end $$`)
    .execute(queries);
}
