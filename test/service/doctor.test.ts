// npm run doctor: each check finds what is wrong on a real PostgreSQL with TLS and an archive, and is ok once it is right.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runScript, temporaryFolder } from '@kissi/testkit/service';
import pg from 'pg';
import { checkSecrets } from '../../src/app/keys/secret-checks.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { grantLogin } from '../../src/db/schema/login.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { NODE_MAJOR, versionFinding } from '../../src/features/doctor/checks/database.ts';
import { CHECKS } from '../../src/features/doctor/service.ts';
import { type Clock, DAY_MS, HOUR_MS, iso, systemClock } from '../../src/kernel/clock.ts';
import { type Environment, loadConfig } from '../../src/kernel/config/config.ts';
import { CSV, csvFile, newTrustAccount, uploadStatement } from '../support/bank-files.ts';
import { testClock } from '../support/clock.ts';
import type { TestDatabase } from '../support/database.ts';
import { assertStatus, type SECRETS, testGateway } from '../support/gateway.ts';
import { createBank } from '../support/money.ts';
import { startReplicas } from '../support/replicas.ts';
import { outerAddress, startSecurePostgres } from '../support/secure-postgres.ts';
import { staffMember, staffToken } from '../support/staff.ts';
import { waitFor } from '../support/wait.ts';

const secret = (name: string) => `${name}-Zk3v9QpXw7Lr2TnB8yHd5FgJ1mCs6VaE`;
/** As docs/operations/first-day.md recommends. */
const PRODUCTION: Environment = {
  APP_ENV: 'production',
  JWT_SECRET: secret('jwt'),
  MASTER_KEY: secret('master'),
  PIN_PEPPER: secret('pepper'),
  CLOSE_SIGNING_KEY: 'pV5yZ0c3Qm1kR2x4TnU4aUg3YkxqN3dFZ0hZMkZrVHM=',
  ANCHOR_SIGNING_KEY: 'ab'.repeat(32),
  MESSAGING_APP_SECRET: secret('messaging'),
  METRICS_TOKEN: secret('metrics'),
  APPROVALS: 'recommended',
  PHONE_VERIFICATION: 'required',
  SMS_PROVIDER: 'africastalking',
  SMS_USERNAME: 'kissi',
  SMS_SECRET: secret('sms'),
  VERIFY_CARD_BALANCE: 'off',
  SESSION_MAX_HOURS: '12',
  PUBLIC_ORIGIN: 'https://pay.example.com',
  TRUST_PROXY: '10.0.0.7',
};

const folder = await temporaryFolder();
const server = await startSecurePostgres();
const replicas = await startReplicas();
const opened: Database[] = [];
const serviceUrl = urlOfService(server.ownerUrl);
await grantLogin(server.ownerUrl, serviceUrl);
/** Two days ago: the finance tests pay then. */
const clock = testClock(Date.now() - 2 * DAY_MS);
const db = testDatabaseAt(server.ownerUrl);
const kissi = await testGateway({ db, clock, env: { APPROVALS: 'recommended' } });
await kissi.gateway.services.audit.begin();
after(async () => {
  await kissi.close();
  for (const database of opened) await database.close();
  await Promise.all([server.remove(), replicas.remove(), folder.remove()]);
});

function urlOfService(url: string): string {
  return Object.assign(new URL(url), { username: 'kissi_service', password: 'service-only' }).toString();
}

function open(url: string, role?: string): Database {
  const timeouts = { connectMs: 60_000, queryMs: 60_000, statementMs: 60_000 };
  const database = openDatabase({ url, poolSize: 5, timeouts, ...(role ? { role } : {}) });
  opened.push(database);
  return database;
}

function testDatabaseAt(url: string): TestDatabase {
  const pool = new pg.Pool({ connectionString: url });
  after(() => pool.end());
  return { url, database: open(url, APP_ROLE), query: pool.query.bind(pool), close: async () => undefined };
}

interface Setting {
  env?: Environment;
  url?: string;
  database?: Database;
  at?: Clock;
}

/** The levels that each check was seen with. */
const seen = new Map(CHECKS.map(({ id }) => [id, new Set<string>()]));

/** Runs one check as the service with these variables would, and asserts its level. */
async function assertLevel(id: string, level: string, { env, url = serviceUrl, database, at }: Setting = {}) {
  const check = CHECKS.find((each) => each.id === id);
  assert.ok(check, id);
  const config = loadConfig({ ...PRODUCTION, DATABASE_URL: url, ...env });
  const finding = await check.run({ config, database: database ?? db.database, clock: at ?? systemClock });
  assert.equal(finding.level, level, `${id}: ${finding.message}`);
  assert.equal(finding.action === null, level === 'ok', `${id}: an action unless it is ok`);
  seen.get(id)?.add(level);
  return finding.message;
}

const OFF = { REQUIRE_SECOND_FACTOR: 'false' };
const DEVELOPMENT = { APP_ENV: 'development' };
/** What is wrong, with the level it has. Each check is ok with the variables of production. */
const CONFIGURATIONS: [id: string, level: 'warning' | 'error', env: Environment][] = [
  ['environment', 'error', { APP_ENV: 'staging' }],
  ['secrets', 'error', { ...DEVELOPMENT, MASTER_KEY: '' }],
  ['secrets', 'error', { METRICS_TOKEN: secret('master') }],
  ['secrets', 'error', { ...DEVELOPMENT, JWT_SECRET: 'changeme-changeme-changeme-changeme' }],
  ['keys', 'warning', { MASTER_KEY: `k2:${secret('new')},k1:${secret('master')}` }],
  ['anchor_key', 'warning', { ANCHOR_SIGNING_KEY: '' }],
  ['service_signatures', 'warning', { SERVICE_SECRETS: JSON.stringify({ chat: secret('chat') }) }],
  ['metrics', 'warning', { METRICS_TOKEN: '' }],
  ['webhook_addresses', 'error', { WEBHOOK_ALLOW_PRIVATE: 'true' }],
  ['public_address', 'warning', { PUBLIC_ORIGIN: '' }],
  ['public_address', 'error', { ...DEVELOPMENT, PUBLIC_ORIGIN: 'http://pay.example.com' }],
  ['proxy_headers', 'error', { TRUST_PROXY: '' }],
  ['proxy_headers', 'error', { ...DEVELOPMENT, TRUST_PROXY: 'true' }],
  ['proxy_headers', 'warning', { TRUST_PROXY: '1' }],
  ['partner_certificates', 'error', { PARTNER_CERTIFICATES: JSON.stringify({ ptn_none: 'ab'.repeat(32) }) }],
  ['second_factors', 'error', OFF],
  ['sessions', 'warning', { SESSION_MAX_HOURS: '' }],
  ['phone_verification', 'warning', { PHONE_VERIFICATION: 'off' }],
  ['pins', 'error', { REFUSE_COMMON_PINS: 'false' }],
  ['lookups', 'warning', { VERIFY_CARD_BALANCE: '' }],
  ['notices', 'error', { SMS_PROVIDER: '', PHONE_VERIFICATION: 'off' }],
  ['notices', 'warning', { NOTICES: 'security' }],
  ['notices', 'warning', { NOTICES: 'off' }],
  ['ussd', 'error', { ...DEVELOPMENT, USSD_SERVICE_CODE: '*715#' }],
  ['ussd', 'error', { ...DEVELOPMENT, USSD_SECRET: secret('ussd') }],
  ['ussd', 'warning', { USSD_SECRET: `${secret('old')},${secret('new')}`, USSD_ALLOWED: '10.0.0.9' }],
  ['backups', 'warning', { BACKUP_DIR: '' }],
];

describe('configuration', () => {
  for (const [id, level, env] of CONFIGURATIONS) {
    test(`${id} is ${level} with ${JSON.stringify(env)}`, async () => {
      await assertLevel(id, level, { env });
      if (id !== 'backups') await assertLevel(id, 'ok');
    });
  }

  test('a message never contains a secret', async () => {
    const shared = await assertLevel('secrets', 'error', { env: { METRICS_TOKEN: secret('master') } });
    assert.ok(!shared.includes('Zk3v9'), shared);
    assert.match(shared, /MASTER_KEY and METRICS_TOKEN/);
  });
});

describe('database', () => {
  const outer = outerAddress() ?? '';
  const verified = { sslmode: 'verify-full', sslrootcert: server.ca };
  const as = (url: string) => ({ url, database: open(url, APP_ROLE) });

  test('TLS is missing, not verified, or verified', {
    skip: !outer && 'this machine has no address but loopback',
  }, async () => {
    await assertLevel('database_tls', 'error', as(server.tcpUrl(outer)));
    await assertLevel('database_tls', 'warning', as(server.tcpUrl(outer, { sslmode: 'disable' })));
    await assertLevel('database_tls', 'warning', as(server.tcpUrl(outer, { sslmode: 'no-verify' })));
    await assertLevel('database_tls', 'ok', as(server.tcpUrl(outer, verified)));
  });

  test('a socket needs no TLS', async () => {
    await assertLevel('database_tls', 'ok', as(server.ownerUrl));
  });

  test("the service's login has too many rights, or the owner's is next to it", async () => {
    await assertLevel('database_login', 'error', { url: server.ownerUrl });
    await assertLevel('database_login', 'warning', { env: { DATABASE_ADMIN_URL: server.ownerUrl } });
    await assertLevel('database_login', 'warning', { env: { DATABASE_URL: '' } });
    await assertLevel('database_login', 'ok');
  });

  test('the schema is of another version', async () => {
    await server.query('select 1');
    await db.query(`insert into kysely_migration values ('9999_later', '2026-01-01')`);
    await assertLevel('schema', 'error');
    await db.query(`delete from kysely_migration where name = '9999_later'`);
    await assertLevel('schema', 'ok');
  });

  test('versions are too old', async () => {
    const current = `${NODE_MAJOR}.1.0`;
    const levels = [versionFinding('14.9', current), versionFinding('18.4', '20.1.0'), versionFinding('16.2', current)];
    assert.deepEqual(
      levels.map(({ level }) => level),
      ['error', 'error', 'warning'],
    );
    for (const { level } of levels) seen.get('versions')?.add(level);
    await assertLevel('versions', 'ok');
  });

  test('a setting that loses acknowledged payments is off', async () => {
    await setting('synchronous_commit', 'off');
    await waitFor('new connections see it', async () => (await valueAt('show synchronous_commit')) === 'off');
    await assertLevel('durability', 'error', { database: open(serviceUrl) });
    await setting('synchronous_commit', 'on');
    await waitFor('new connections see it', async () => (await valueAt('show synchronous_commit')) === 'on');
    await assertLevel('durability', 'ok', { database: open(serviceUrl) });
  });

  test('the clock differs from that of the database', async () => {
    await assertLevel('clock', 'error', { at: { now: () => Date.now() + 60_000 } });
    await assertLevel('clock', 'warning', { at: { now: () => Date.now() - 5_000 } });
  });
});

async function setting(name: string, value: string): Promise<void> {
  await server.query(`alter system set ${name} = '${value}'`);
  await server.query('select pg_reload_conf()');
}

/** Of a connection of its own. */
const valueAt = (statement: string) => server.query(statement);

describe('recovery', () => {
  const archived = () => valueAt('select last_archived_time is not null from pg_stat_archiver');

  test('the WAL archive is off, empty, old or failing', async () => {
    await assertLevel('wal_archive', 'error', { database: open(replicas.address('a')) });
    await server.query("select pg_stat_reset_shared('archiver')");
    await assertLevel('wal_archive', 'warning');
    await server.query('select pg_switch_wal()');
    await waitFor('a file is archived', archived);
    await assertLevel('wal_archive', 'ok');
    await assertLevel('wal_archive', 'warning', { at: { now: () => Date.now() + 2 * HOUR_MS } });
    await setting('archive_command', 'false');
    await server.query('create table other (n int)');
    await server.query('select pg_switch_wal()');
    await waitFor('it fails', () => valueAt('select last_failed_time is not null from pg_stat_archiver'));
    await assertLevel('wal_archive', 'error');
    await setting('archive_command', 'true');
    await waitFor('it works', () => valueAt('select last_archived_time > last_failed_time from pg_stat_archiver'));
    await assertLevel('wal_archive', 'ok');
  });

  test('there is no backup, only one of another server, or an old one', async () => {
    const backups = join(folder.path, 'backups');
    await mkdir(backups);
    const env = { BACKUP_DIR: backups };
    await assertLevel('backups', 'error', { env });
    await writeBackup(join(backups, 'base-1'), '7000000000000000000');
    await assertLevel('backups', 'error', { env });
    const identifier = await valueAt('select system_identifier::text from pg_control_system()');
    await writeBackup(join(backups, 'base-2'), String(identifier));
    await assertLevel('backups', 'ok', { env });
    await assertLevel('backups', 'warning', { env, at: { now: () => Date.now() + 27 * HOUR_MS } });
    await assertLevel('backups', 'error', { env, at: { now: () => Date.now() + 8 * DAY_MS } });
    // A directory that is not there is not a reason to say that all is well.
    await rm(backups, { recursive: true });
    await assert.rejects(assertLevel('backups', 'error', { env }), /ENOENT/);
  });

  test('no standby follows, or only asynchronously; a login without rights sees it too', async () => {
    await assertLevel('standbys', 'warning');
    await replicas.primary.query('create role plain login');
    const database = open(replicas.address('a').replace('kissi@', 'plain@'));
    await assertLevel('standbys', 'warning', { database });
    await replicas.primary.query("alter system set synchronous_standby_names = '*'");
    await replicas.primary.query('select pg_reload_conf()');
    const isSet = () => replicas.primary.query("select current_setting('synchronous_standby_names') = '*'");
    await waitFor('the primary waits for it', isSet);
    await assertLevel('standbys', 'ok', { database: open(replicas.address('a').replace('kissi@', 'plain@')) });
    await replicas.primary.query('alter system reset synchronous_standby_names');
    await replicas.primary.query('select pg_reload_conf()');
  });

  test('a read replica is none, or cannot be reached', async () => {
    const urlOf = (name: 'a' | 'b') => replicas.address(name).replace(/\?.*/, '');
    await assertLevel('read_replicas', 'ok', { env: { DATABASE_READ_URL: urlOf('b') } });
    const ofPrimary = await assertLevel('read_replicas', 'error', { env: { DATABASE_READ_URL: urlOf('a') } });
    assert.match(ofPrimary, /is not a replica/);
    await assertLevel('read_replicas', 'error', { env: { DATABASE_READ_URL: 'postgresql://x@127.0.0.1:1/kissi' } });
    await assertLevel('read_replicas', 'ok');
  });
});

/** What pg_basebackup of PostgreSQL 17 and later leaves, as far as the check reads it. */
async function writeBackup(path: string, identifier: string): Promise<void> {
  await mkdir(path);
  const at = `${iso(Date.now()).slice(0, 19).replace('T', ' ')} GMT`;
  const files = `[{ "Path": "PG_VERSION", "Size": 3, "Last-Modified": "2020-01-01 00:00:00 GMT" },
{ "Path": "global/pg_control", "Size": 8192, "Last-Modified": "${at}", "Checksum-Algorithm": "CRC32C", "Checksum": "0" }]`;
  const manifest = `{ "PostgreSQL-Backup-Manifest-Version": 2,\n"System-Identifier": ${identifier},\n"Files": ${files} }`;
  await writeFile(join(path, 'backup_manifest'), manifest);
}

describe('staff and money', () => {
  test('trust accounts are missing, late, or do not cover the e-money', async () => {
    await assertLevel('trust_accounts', 'error', { at: clock });
    await assertLevel('cover', 'warning', { at: clock });
    const bank = await createBank(kissi);
    await bank.wallet(50_000);
    const token = await staffToken(kissi, 'finance_user');
    const { id } = await newTrustAccount(kissi, token);
    const today = () => iso(clock.now()).slice(0, 10);
    const upload = async (opening: number, amount: number) => {
      const file = csvFile({ opening, entries: [{ amount }], from: today() });
      assertStatus(await uploadStatement(kissi, token, id, [CSV, file]), 201);
    };
    await upload(0, 40_000);
    clock.advance(DAY_MS);
    await assertLevel('cover', 'error', { at: clock });
    await assertLevel('trust_accounts', 'ok', { at: clock });
    const later = await staffToken(kissi, 'finance_user');
    const file = csvFile({ opening: 40_000, entries: [{ amount: 10_000 }], from: today() });
    assertStatus(await uploadStatement(kissi, later, id, [CSV, file]), 201);
    clock.advance(DAY_MS);
    await assertLevel('cover', 'ok', { at: clock });
    await assertLevel('trust_accounts', 'ok', { at: clock });
    clock.advance(DAY_MS);
    await assertLevel('trust_accounts', 'warning', { at: clock });
  });

  test('administrators are too few, until two are independent', async () => {
    await assertLevel('administrators', 'error');
    await staffMember(kissi, 'system_admin');
    await assertLevel('administrators', 'ok', { at: clock });
    await db.query(`update users set status = 'suspended' where email like 'system_admin.%'`);
    await assertLevel('administrators', 'error', { at: clock });
  });

  test('staff have no second factor yet', async () => {
    await staffMember(kissi, 'super_agent').catch(() => undefined);
    await assertLevel('second_factors', 'warning');
    await db.query('update users set second_factor_at = now()');
    await assertLevel('second_factors', 'ok');
  });

  test('no approval policy is enabled, or one is missing', async () => {
    await assertLevel('approval_policies', 'error');
    await kissi.gateway.services.approvals.policies.enableRecommended();
    await assertLevel('approval_policies', 'ok');
    await db.query(`update approval_policies set enabled = false where action = 'fees.change'`);
    assert.match(await assertLevel('approval_policies', 'warning'), /fees\.change/);
    await db.query('update approval_policies set enabled = false');
  });
});

describe('npm run doctor', () => {
  const run = (env: Environment) => runScript('scripts/doctor.ts', env as Record<string, string>);
  const production = { ...PRODUCTION, DATABASE_URL: serviceUrl, DATA_DIR: folder.path };

  test('prints a line for each check with what to do, and ends with 1 while there are errors', async () => {
    const { code, output } = await run({ ...production, TRUST_PROXY: '' });
    assert.equal(code, 1, output);
    for (const { name } of CHECKS)
      assert.match(output, new RegExp(`^(ok|warning|ERROR) +${RegExp.escape(name)}: `, 'm'));
    assert.match(output, /^ERROR +Proxy headers: .*\n +→ Set TRUST_PROXY/m);
    assert.match(output, /\d+ errors?, \d+ warnings?, \d+ ok\.$/);
  });

  test('ends with 0 once only warnings are left', async () => {
    await makeReady();
    const { code, output } = await run(production);
    assert.equal(code, 0, output);
    assert.match(output, /^0 errors, /m);
  });

  test('lists every fault of a configuration that the service does not start with', async () => {
    const { code, output } = await run({ APP_ENV: 'production', DATABASE_URL: serviceUrl });
    assert.equal(code, 1);
    assert.match(output, /^ERROR +MASTER_KEY must be set/m);
    assert.match(output, /^ERROR +APPROVALS must be set/m);
  });

  test('ends with 2 with the key of another database, and without a database', async () => {
    const names = ['JWT_SECRET', 'MASTER_KEY', 'PIN_PEPPER', 'CLOSE_SIGNING_KEY'] as const;
    const used = Object.fromEntries(names.map((name) => [name, PRODUCTION[name]])) as typeof SECRETS;
    await checkSecrets(db.database.queries, used);
    const wrong = await run({ ...production, MASTER_KEY: secret('another') });
    assert.equal(wrong.code, 2, wrong.output);
    assert.match(wrong.output, /MASTER_KEY is not the one this database was created with/);
    const elsewhere = await run({ ...production, DATABASE_URL: 'postgresql://x@127.0.0.1:1/kissi' });
    assert.equal(elsewhere.code, 2, elsewhere.output);
  });

  async function makeReady(): Promise<void> {
    await kissi.gateway.services.approvals.policies.enableRecommended();
    await db.query(`update users set status = 'active', second_factor_at = now()`);
  }
});

test('every check was seen to find a fault and to be ok', () => {
  // Of one machine with one clock it can only be ok where systemd-timesyncd runs.
  const notOk = [...seen].filter(([id, levels]) => !levels.has('ok') && id !== 'clock');
  const neverFails = [...seen].filter(([, levels]) => !levels.has('warning') && !levels.has('error'));
  const skipped = outerAddress() === null ? ['database_tls'] : [];
  assert.deepEqual(
    [notOk, neverFails].map((each) => each.map(([id]) => id)),
    [[], skipped],
  );
});
