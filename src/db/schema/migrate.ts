// Migrates a database to the current schema: the files of sql/migrations, in order, forward only.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { openDatabase, type Queries } from '../database.ts';
import { isSerializationFailure, sqlState } from '../driver/errors.ts';
import { apply, createMigrationTable, type Migration, readMigrations } from './migrations.ts';

/** The service's role. It may read and write, but not change records that must stay as they were written. */
export const APP_ROLE = 'kissi_app';

// Building an index on a large table takes long.
const MIGRATION_TIMEOUT_MS = HOUR_MS;

// A migration that does not get its locks in time, because a backup or a long query holds them, is tried again later.
const ATTEMPTS = 20;
const RETRY_AFTER_MS = 2 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';

/** The schema cannot be migrated to what this version needs. The message tells operators why. */
export class SchemaError extends Error {}

/** Runs as the owner of the tables. Returns the names of the migrations it applied. */
export async function migrate(url: string, folder?: string): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, timeouts: { queryMs: MIGRATION_TIMEOUT_MS } });
  try {
    await ensureAppRole(database.queries);
    return await database.queries.connection().execute((connection) => migrateAlone(connection, folder));
  } finally {
    // Closing the connection also releases the lock.
    await database.close();
  }
}

/** Each migration commits with its record: after a crash the next run continues with the first one that is missing. */
async function migrateAlone(connection: Queries, folder?: string): Promise<string[]> {
  await acquireLock(connection);
  const known = await readMigrations(folder);
  const applied = await appliedMigrations(connection);
  rejectUnknown(applied, known);
  await createMigrationTable(connection);
  const missing = known.filter(({ name }) => !applied.includes(name));
  for (const migration of missing) await applyWithRetries(connection, migration);
  return missing.map(({ name }) => name);
}

// An arbitrary number that no other lock of the database uses. Gateways of all versions take the same one.
const LOCK_ID = '3853314791062309107';
const LOCK_POLL_MS = SECOND_MS / 2;

/**
 * One process migrates at a time. The others poll: a session that waits inside a query has a snapshot, and CREATE INDEX
 * CONCURRENTLY would wait for it.
 */
async function acquireLock(connection: Queries): Promise<void> {
  const tryLock = sql<{ locked: boolean }>`select pg_try_advisory_lock(${sql.lit(LOCK_ID)}::bigint) as locked`;
  for (let waitedMs = 0; waitedMs < MIGRATION_TIMEOUT_MS; waitedMs += LOCK_POLL_MS) {
    const { rows } = await tryLock.execute(connection);
    if (rows[0]?.locked) return;
    await delay(LOCK_POLL_MS);
  }
  throw new SchemaError('Another process has been migrating the schema for an hour. Start again when it has ended.');
}

async function applyWithRetries(connection: Queries, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(connection, migration);
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE && !isSerializationFailure(error)) throw error;
      if (attempt >= ATTEMPTS) throw new SchemaError(lockMessage(migration));
    }
    await delay(RETRY_AFTER_MS);
  }
}

function lockMessage({ name }: Migration): string {
  return (
    `The migration ${name} could not be applied: another session holds a lock on a table, such as a backup, ledger:verify or ` +
    'a transaction opened by hand (pg_stat_activity shows it). The migrations before it are applied; start again when it has ended.'
  );
}

/** For a service that does not migrate: it starts only on the schema that this version needs. */
export async function requireCurrentSchema(url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    const known = await readMigrations();
    const applied = await appliedMigrations(database.queries);
    rejectUnknown(applied, known);
    const missing = known.map(({ name }) => name).filter((name) => !applied.includes(name));
    if (missing.length === 0) return;
    throw new SchemaError(
      `The database lacks ${missing.length} migration(s), the first one ${missing[0]}. Run npm run db:migrate with ` +
        "DATABASE_ADMIN_URL set to the owner's login, then start again. Nothing was changed.",
    );
  } finally {
    await database.close();
  }
}

const NO_SUCH_TABLE = '42P01';
const NO_PERMISSION = '42501';

/** Newest first. Empty if there are none, or if this login may not read them: the baseline grants it. */
async function appliedMigrations(queries: Queries): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(queries);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (sqlState(error) === NO_SUCH_TABLE || sqlState(error) === NO_PERMISSION) return [];
    throw error;
  }
}

/** The first migration of versions 0.1 to 0.4. */
const FIRST_OF_0_1 = '0001_foundation';

/** A version that does not know the whole schema may corrupt another version's data: it does not start. */
function rejectUnknown(applied: string[], known: Migration[]): void {
  if (applied.includes(FIRST_OF_0_1)) {
    throw new SchemaError(
      'This database was made by version 0.4 or older; version 0.5 and later need a new database, because the schema begins anew ' +
        'with 0.5. Nothing was changed.',
    );
  }
  const newer = applied.find((name) => !known.some((migration) => migration.name === name));
  if (!newer) return;
  throw new SchemaError(
    `The database was migrated by a newer version of Kissi (${newer}), which this version cannot work with. ` +
      'Start the newer version; docs/operations/upgrade.md says how to go back.',
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
