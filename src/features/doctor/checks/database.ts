// Checks of the database: its connection, login, version, schema, durability and clock.
import { access } from 'node:fs/promises';
import { type LoginRights, loginRights } from '../../../db/schema/login.ts';
import { requireCurrentSchema } from '../../../db/schema/migrate.ts';
import { SECOND_MS } from '../../../kernel/clock.ts';
import { isLoopback, isThisMachine } from '../addresses.ts';
import { type Check, type Examined, type Finding, fail, fine, warn } from '../check.ts';
import * as store from '../store.ts';

export const DATABASE_CHECKS: readonly Check[] = [
  { id: 'database_tls', area: 'database', name: 'TLS to the database', run: tls },
  { id: 'database_login', area: 'database', name: 'Login to the database', run: login },
  { id: 'schema', area: 'database', name: 'Schema', run: schema },
  { id: 'versions', area: 'database', name: 'Versions', run: versions },
  { id: 'durability', area: 'database', name: 'Durability', run: durability },
  { id: 'clock', area: 'database', name: 'Clock', run: clock },
];

async function tls({ config: { databaseUrl = '' }, database }: Examined): Promise<Finding> {
  const connection = await store.connection(database.queries);
  const { version, address } = connection;
  if (version !== null)
    return isVerified(databaseUrl) ? fine(`${version}, and the certificate is verified.`) : unverified();
  if (address === null || isLoopback(address)) return fine('The database is reached on this machine only.');
  const verify = 'Give PostgreSQL a certificate, and add sslmode=verify-full&sslrootcert=FILE to DATABASE_URL.';
  const inTheClear = `The connection to ${address} is not encrypted: whoever sees the network sees customers, PIN hashes and the login.`;
  // Written out, it is a decision: a network that nobody else can reach, such as that of compose.yaml.
  if (modeOf(databaseUrl) === 'disable') return warn(`${inTheClear} DATABASE_URL says sslmode=disable.`, verify);
  return fail(inTheClear, verify);
}

const unverified = () =>
  warn(
    'The connection is encrypted, but the certificate is not verified: another server can pretend to be the database.',
    'Set sslmode=verify-full and sslrootcert=FILE in DATABASE_URL.',
  );

const modeOf = (url: string) => /[?&]sslmode=([^&#]*)/.exec(url)?.[1];

/** The driver verifies certificate and name in every mode but one, unless it is told to do as libpq does. */
function isVerified(url: string): boolean {
  if (/[?&]uselibpqcompat=true/.test(url)) return modeOf(url) === 'verify-full';
  return modeOf(url) !== 'no-verify';
}

async function login({ config: { databaseUrl, databaseAdminUrl } }: Examined): Promise<Finding> {
  if (databaseUrl === undefined) {
    return warn(
      'The service uses its embedded PostgreSQL, which is for trying it out: no second machine, late minor releases.',
      'Set DATABASE_URL to a PostgreSQL of its own (docs/operations/first-day.md).',
    );
  }
  const { user, excess }: LoginRights = await loginRights(databaseUrl);
  if (excess.length > 0) {
    return fail(
      `The user "${user}" ${excess.join(', and ')}, so the service could rewrite its history.`,
      'Give the service its own login (docs/operations/first-day.md, "Database logins").',
    );
  }
  if (databaseAdminUrl === undefined) return fine(`The user "${user}" cannot change history or the schema.`);
  return warn(
    'DATABASE_ADMIN_URL is set: whoever takes over a gateway has the owner of the tables, too.',
    'Migrate with npm run db:migrate from another place, and remove DATABASE_ADMIN_URL here.',
  );
}

async function schema({ config: { databaseUrl } }: Examined): Promise<Finding> {
  if (databaseUrl === undefined) return fine('The service migrates its embedded database at its start.');
  const fault = await requireCurrentSchema(databaseUrl).then(
    () => null,
    (error: Error) => error.message,
  );
  return fault === null ? fine('The schema is that of this version.') : fail(fault, 'Run npm run db:migrate.');
}

const OLDEST_MAJOR = 15;
const RECOMMENDED_MAJOR = 18;
const upgrade = `Upgrade to PostgreSQL ${RECOMMENDED_MAJOR}.`;
/** As in .nvmrc. */
export const NODE_MAJOR = 26;

async function versions({ database }: Examined): Promise<Finding> {
  return versionFinding(await store.serverVersion(database.queries), process.versions.node);
}

export function versionFinding(postgres: string, node: string): Finding {
  const found = `PostgreSQL ${postgres}, Node.js ${node}`;
  const major = Number.parseInt(postgres, 10);
  if (major < OLDEST_MAJOR) {
    return fail(`${found}: the oldest supported PostgreSQL is ${OLDEST_MAJOR}.`, upgrade);
  }
  if (Number.parseInt(node, 10) !== NODE_MAJOR) {
    return fail(
      `${found}: the service is tested with Node.js ${NODE_MAJOR}.`,
      'Start it with scripts/node, or npm start.',
    );
  }
  return major < RECOMMENDED_MAJOR ? warn(`${found}: supported, but not recommended.`, upgrade) : fine(`${found}.`);
}

/** Each of them off means that acknowledged payments can be lost, or the database destroyed, in a power failure. */
async function durability({ database }: Examined): Promise<Finding> {
  const off = await store.settingsOff(database.queries, ['fsync', 'full_page_writes', 'synchronous_commit']);
  if (off.length === 0) return fine('A payment is on disk before it is acknowledged.');
  return fail(
    `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off: acknowledged payments can be lost in a power failure.`,
    'Switch them on in postgresql.conf, and reload PostgreSQL.',
  );
}

const CLOCK_WARNING_MS = SECOND_MS;
const CLOCK_ERROR_MS = 10 * SECOND_MS;
/** systemd-timesyncd creates it once the clock is right. */
const SYNCHRONIZED = '/run/systemd/timesync/synchronized';

async function clock({ database, clock }: Examined): Promise<Finding> {
  const before = clock.now();
  const { at, address } = await store.databaseTime(database.queries);
  const after = clock.now();
  // It answered at some time between the two.
  const offMs = Math.max(0, before - at, at - after);
  const synchronize = 'Synchronise both machines (chrony or systemd-timesyncd), and watch chronyc tracking.';
  const found = `The clocks of the service and the database differ by ${(offMs / SECOND_MS).toFixed(1)} s.`;
  if (offMs > CLOCK_ERROR_MS) return fail(found, synchronize);
  if (offMs > CLOCK_WARNING_MS) return warn(found, synchronize);
  if (!isThisMachine(address) || (await exists(SYNCHRONIZED))) return fine(found);
  return warn(
    'The database has the same clock as the service, so nothing says whether it is right.',
    'Signatures and codes depend on it: check that chronyc tracking or timedatectl reports it as synchronised.',
  );
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
