// Connects to the embedded server as its superuser: checks that it answers and creates the database if it is missing.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { SUPERUSER } from './password.ts';
import { PORT } from './settings.ts';

export interface ConnectionInfo {
  readonly socketDirectory: string;
  readonly password: string;
}

const DATABASE = 'kissi';
const CONNECT_TIMEOUT_MS = 3_000;
const STARTUP_TIMEOUT_MS = 300_000;

const SQLSTATE = {
  invalidPassword: '28P01',
  invalidAuthorization: '28000',
  databaseDoesNotExist: '3D000',
  tooManyConnections: '53300',
  cannotConnectNow: '57P03',
};

/**
 * `pg` connects to the `host` parameter. The host before it is ignored, but `new URL` rejects a URL that has a user and no
 * host. The explicit port and sslmode override PGPORT and PGSSLMODE of the environment.
 */
export function connectionUrl({ socketDirectory, password }: ConnectionInfo, database = DATABASE): string {
  const host = encodeURIComponent(socketDirectory);
  return `postgresql://${SUPERUSER}:${password}@localhost:${PORT}/${database}?host=${host}&sslmode=disable`;
}

/**
 * Returns true once the database exists and accepts connections, false if the server does not answer within `timeoutMs`.
 * Waits longer for a server that reports that it is still starting up.
 */
export async function ensureDatabase(connection: ConnectionInfo, timeoutMs: number): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    const failure = await tryQuery(connection, DATABASE);
    if (failure === undefined) return true;
    const code = errorCode(failure);
    if (code === SQLSTATE.databaseDoesNotExist) {
      return (await tryQuery(connection, 'postgres', `create database ${DATABASE}`)) === undefined;
    }
    if (code === SQLSTATE.tooManyConnections) return true;
    if (code === SQLSTATE.invalidPassword || code === SQLSTATE.invalidAuthorization) throw passwordRejected(failure);
    const limitMs = code === SQLSTATE.cannotConnectNow ? STARTUP_TIMEOUT_MS : timeoutMs;
    if (performance.now() - startedAt > limitMs) return false;
    await wait(50);
  }
}

/** Returns the error, or undefined if the statement succeeded. */
async function tryQuery(connection: ConnectionInfo, database: string, statement = 'select 1'): Promise<unknown> {
  const client = new pg.Client({
    connectionString: connectionUrl(connection, database),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // Without a listener, an error on an idle connection would crash Node.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}

function passwordRejected(cause: unknown): EmbeddedServerError {
  return new EmbeddedServerError(
    `The database rejects the password in ${join('DATA_DIR', 'postgres-password')}: restore the original file, or delete it to have a new password set.`,
    { cause },
  );
}
