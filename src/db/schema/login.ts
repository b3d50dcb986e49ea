// The service's login to PostgreSQL: a member of kissi_app that cannot change the schema or rows that must stay as written.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openDatabase, type Queries } from '../database.ts';
import { parseAddress } from '../failover/address.ts';
import { APP_ROLE } from './migrate.ts';

/** The login cannot be used, or cannot be created. The message tells operators what to do. */
export class LoginError extends Error {}

export interface LoginRights {
  user: string;
  /** Whether the login has the rights of kissi_app. */
  isMember: boolean;
  /** What it can do beyond kissi_app, for operators. Empty: nothing that matters. */
  excess: string[];
}

/** Roles of PostgreSQL whose members can write every table, or files and programs of the server. */
const POWERFUL_ROLES = ['pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program'];

/** Tables whose rows no service may change or delete, whatever was granted to its login directly. */
const HISTORY_TABLES = ['movements', 'postings', 'seals', 'seal_chains', 'audit_log'];

/** Memberships count whether they are inherited or not: `set role` uses them. */
export async function loginRights(url: string): Promise<LoginRights> {
  return withDatabase(url, async (queries) => {
    const { rows } = await sql<LoginRow>`
      select session_user as "user", rolsuper as superuser, rolcreaterole as "createsRoles",
        pg_has_role(session_user, datdba, 'member') as "ownsDatabase",
        exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S', 'm')
          and pg_has_role(session_user, relowner, 'member')) as "ownsTables",
        exists (select from pg_roles powerful where powerful.rolname = any(${POWERFUL_ROLES})
          and pg_has_role(session_user, powerful.oid, 'member')) as "writesEverything",
        exists (select from unnest(${HISTORY_TABLES}::text[]) as history (name)
          where has_table_privilege(session_user, to_regclass(history.name), 'update, delete, truncate'))
          as "rewritesHistory",
        exists (select from pg_roles app where app.rolname = ${APP_ROLE}
          and pg_has_role(session_user, app.oid, 'usage')) as "isMember"
      from pg_roles, pg_database where pg_roles.rolname = session_user and datname = current_database()`.execute(
      queries,
    );
    return rightsOf(rows[0] as LoginRow);
  });
}

interface LoginRow {
  user: string;
  superuser: boolean;
  createsRoles: boolean;
  ownsDatabase: boolean;
  ownsTables: boolean;
  writesEverything: boolean;
  rewritesHistory: boolean;
  isMember: boolean;
}

function rightsOf(row: LoginRow): LoginRights {
  const { user, isMember } = row;
  if (row.superuser) return { user, isMember, excess: ['is a superuser'] };
  const excess: [boolean, string][] = [
    [row.ownsTables, 'owns the tables or can become their owner'],
    [row.ownsDatabase, 'owns the database or can become its owner'],
    [row.createsRoles, 'may create roles'],
    [row.rewritesHistory, `may change or delete rows of ${HISTORY_TABLES.join(', ')}`],
    [row.writesEverything, `is a member of ${POWERFUL_ROLES.join(' or ')}`],
  ];
  return { user, isMember, excess: excess.filter(([has]) => has).map(([, what]) => what) };
}

/** Creates the login of `serviceUrl` if it does not exist, and makes it a member of kissi_app. Runs as the owner. */
export async function grantLogin(adminUrl: string, serviceUrl: string): Promise<'created' | 'granted'> {
  const { user, password } = credentialsOf(serviceUrl);
  if (user === '') throw new LoginError("DATABASE_URL names no user: it must name the service's login.");
  if (user === credentialsOf(adminUrl).user) return 'granted';
  return withDatabase(adminUrl, async (queries) => {
    const { rows } = await sql<{ canLogIn: boolean }>`
      select rolcanlogin as "canLogIn" from pg_roles where rolname = ${user}`.execute(queries);
    const canLogIn = rows[0]?.canLogIn ?? false;
    if (!canLogIn) await createLogin(queries, { user, password, exists: rows.length > 0 });
    if (user !== APP_ROLE) await sql`grant ${sql.id(APP_ROLE)} to ${sql.id(user)}`.execute(queries);
    return canLogIn ? 'granted' : 'created';
  });
}

interface NewLogin {
  user: string;
  password: string;
  exists: boolean;
}

async function createLogin(queries: Queries, { user, password, exists }: NewLogin): Promise<void> {
  // An existing role without login is someone else's, except for kissi_app itself.
  if (exists && user !== APP_ROLE) {
    throw new LoginError(`The user "${user}" of DATABASE_URL is a role that cannot log in: choose another name.`);
  }
  const command = exists ? sql`alter role` : sql`create role`;
  const secret = password === '' ? sql`` : sql`password ${sql.lit(scramVerifier(password))}`;
  await sql`${command} ${sql.id(user)} with login ${secret}`.execute(queries).catch((error: { code?: string }) => {
    if (error.code !== '42501') throw error;
    throw new LoginError(
      `The user of DATABASE_ADMIN_URL may not create roles. Create the login of the service as a superuser, then try ` +
        `again: create role "${user}" login password '…';`,
    );
  });
}

const SCRAM_ITERATIONS = 4_096;

/** PostgreSQL stores this value. Sent instead of the password, it keeps the password out of the server's log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function credentialsOf(url: string): { user: string; password: string } {
  const { username, password } = new URL(parseAddress(url).url);
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

async function withDatabase<T>(url: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    return await work(database.queries);
  } finally {
    await database.close();
  }
}
