// Talks to the server as its owner: does it answer, and is the database there?
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedServerError, errorCode } from './errors.ts';
import { OWNER } from './password.ts';
import { PORT } from './settings.ts';

export interface Access {
  readonly socketFolder: string;
  readonly password: string;
}

const DATABASE = 'kissi';
const CONNECT_TIMEOUT_MS = 3_000;
const STARTING_TIMEOUT_MS = 300_000;

/**
 * The host in front is never used: it is there because `new URL` refuses a URL with a user and no host. The port and
 * sslmode keep PGPORT and PGSSLMODE of the environment out.
 */
export function connectionUrl({ socketFolder, password }: Access, database = DATABASE): string {
  const host = encodeURIComponent(socketFolder);
  return `postgresql://${OWNER}:${password}@localhost:${PORT}/${database}?host=${host}&sslmode=disable`;
}

/** False when nothing answers within the time; a server that says it is still starting is waited for. */
export async function openDatabase(access: Access, withinMs: number): Promise<boolean> {
  const begin = performance.now();
  for (;;) {
    const failure = await tryConnect(access, DATABASE);
    if (failure === undefined) return true;
    const code = errorCode(failure);
    if (code === '3D000') return (await tryConnect(access, 'postgres', `create database ${DATABASE}`)) === undefined;
    if (code === '53300') return true;
    if (code === '28P01' || code === '28000') throw passwordRefused(failure);
    const allowedMs = code === '57P03' ? STARTING_TIMEOUT_MS : withinMs;
    if (performance.now() - begin > allowedMs) return false;
    await wait(50);
  }
}

async function tryConnect(access: Access, database: string, statement = 'select 1'): Promise<unknown> {
  const client = new pg.Client({
    connectionString: connectionUrl(access, database),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A connection that breaks while idle must not take Node down.
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

function passwordRefused(cause: unknown): EmbeddedServerError {
  return new EmbeddedServerError(
    `The database refuses the password in ${join('DATA_DIR', 'postgres-password')}: bring the right file back, or remove it to have a new password set.`,
    { cause },
  );
}
