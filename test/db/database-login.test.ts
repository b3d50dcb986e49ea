// The service's login to PostgreSQL: what it cannot do, and which logins the service refuses to start with.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inheritedEnv } from '@kissi/testkit/service';
import pg from 'pg';
import { type ExternalDatabase, prepareDatabase } from '../../src/app/prepare-database.ts';
import { LoginError, loginRights } from '../../src/db/schema/login.ts';
import { appUrl, SchemaError } from '../../src/db/schema/migrate.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/db-migrate.ts', import.meta.url));
const REFUSED = { code: '42501' };

let db: TestDatabase;
const logins: string[] = [];

before(async () => {
  db = await testDatabase();
});
after(async () => {
  const { close, url } = db;
  for (const login of logins) {
    await asOwner(url, `drop owned by ${login}`);
  }
  await close();
  for (const login of logins) await asOwner(databaseUrl('postgres'), `drop role ${login}`);
});

async function asOwner(url: string, statement: string): Promise<pg.QueryResult> {
  return withClient(url, (client) => client.query(statement));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Roles belong to the whole server, which other files use too: the name is random. */
function loginUrl(url = db.url): { login: string; url: string } {
  const login = `kissi_login_${randomBytes(4).toString('hex')}`;
  logins.push(login);
  return { login, url: Object.assign(new URL(url), { username: login, password: 'a:b/c d' }).toString() };
}

async function migrateCommand(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [SCRIPT], { env: { ...inheritedEnv(), ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/** Returns the warnings. */
async function prepare(options: Partial<ExternalDatabase>): Promise<string[]> {
  const warnings: string[] = [];
  const report = { applied: () => undefined, warn: (message: string) => void warnings.push(message) };
  const database = { databaseUrl: db.url, databaseAdminUrl: undefined, appEnv: 'production' as const, ...options };
  await prepareDatabase(database, report);
  return warnings;
}

describe('the login that npm run db:migrate creates', () => {
  let url: string;
  before(async () => {
    ({ url } = loginUrl());
    const { code, output } = await migrateCommand({ DATABASE_URL: url, DATABASE_ADMIN_URL: db.url });
    assert.equal(code, 0, output);
    assert.match(output, /Created the login/);
  });

  test('reads and writes as the service does', async () => {
    await withClient(url, async (client) => {
      assert.equal((await client.query('select count(*) from audit_log')).rowCount, 1);
      await client.query('begin; set local role kissi_app');
      await client.query(`insert into allowances values ('a test', 1); rollback`);
    });
  });

  const { username: owner } = new URL(databaseUrl('postgres'));
  const attempts = {
    'become the owner': `set role ${owner}`,
    'become the owner for the session': `set session authorization ${owner}`,
    'change a movement': 'update movements set amount = 1',
    'change a movement after set role none': 'set role none; update movements set amount = 1',
    'delete a posting': 'delete from postings',
    'delete an audit entry': 'delete from audit_log',
    'change an audit entry': `update audit_log set actor_id = 'usr_x'`,
    'truncate the audit log': 'truncate audit_log',
    'insert a second end of the audit chain': `insert into audit_head (singleton, seq, hash) values (false, 0, '')`,
    'change an entry that is not sealed yet': `update audit_inbox set actor_id = 'usr_x'`,
    'delete a subscriber': 'delete from subscribers',
    'delete a PIN': 'delete from pins',
    'change a stored reply': `update requests set reply = ''`,
    'disable a trigger': 'alter table audit_head disable trigger all',
    'disable triggers for the session': 'set session_replication_role = replica',
    'add a column': 'alter table users add column backdoor text',
    'create a table': 'create table public.mine (n int)',
    'replace a trigger function': `create or replace function audit_head_moves_on() returns trigger language plpgsql as $$ begin return new; end $$`,
    'drop a table': 'drop table users',
    'read a file of the server': `select pg_read_file('/etc/passwd')`,
    'run a program on the server': `copy movements to program 'cat'`,
    'create a role': 'create role another superuser',
    'grant itself the owner': `grant ${owner} to current_user`,
    'change the record of migrations': 'delete from kysely_migration',
  };
  for (const [what, statement] of Object.entries(attempts)) {
    test(`cannot ${what}`, async () => {
      await withClient(url, async (client) => {
        await client.query('set role none');
        await assert.rejects(client.query(statement), REFUSED);
      });
    });
  }

  test('is accepted by the service without DATABASE_ADMIN_URL, and with it', async () => {
    assert.deepEqual(await prepare({ databaseUrl: url }), []);
    assert.deepEqual(await prepare({ databaseUrl: url, databaseAdminUrl: db.url }), []);
    assert.deepEqual((await loginRights(url)).excess, []);
  });

  test('is granted again without error, and keeps its password', async () => {
    const { code, output } = await migrateCommand({
      DATABASE_URL: Object.assign(new URL(url), { password: 'another' }).toString(),
      DATABASE_ADMIN_URL: db.url,
    });
    assert.equal(code, 0, output);
    await withClient(url, (client) => client.query('select 1'));
  });
});

describe('a login with too many rights', () => {
  test('is refused outside development if it owns the tables, with a sentence that says what to do', async () => {
    for (const appEnv of ['staging', 'production'] as const) {
      await assert.rejects(prepare({ appEnv }), (error: Error) => {
        assert.ok(error instanceof LoginError);
        assert.match(error.message, /could change or delete payments.*DATABASE_ADMIN_URL.*npm run db:migrate/);
        return true;
      });
    }
    await assert.rejects(prepare({ databaseAdminUrl: db.url }), LoginError, 'the same user for both is refused too');
  });

  test('is accepted with a warning in development', async () => {
    const warnings = await prepare({ appEnv: 'development' });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /is a superuser/);
  });

  test('is refused if it may become the owner, or may create roles, or may rewrite history', async () => {
    const { username: owner } = new URL(db.url);
    const statements = [
      `grant ${owner} to LOGIN`,
      'alter role LOGIN createrole',
      'grant pg_write_all_data to LOGIN',
      'grant delete on movements to LOGIN',
      'grant update on audit_log to LOGIN',
    ];
    for (const statement of statements) {
      const { login, url } = loginUrl();
      await prepare({ databaseUrl: url, databaseAdminUrl: db.url });
      await asOwner(db.url, statement.replace('LOGIN', login));
      await assert.rejects(prepare({ databaseUrl: url }), LoginError, statement);
    }
  });
});

test('the service starts only on a current schema if it may not migrate', async () => {
  const other = await testDatabase();
  const { login, url } = loginUrl(other.url);
  try {
    await prepare({ databaseUrl: url, databaseAdminUrl: other.url });
    const remove = (name: string) => asOwner(other.url, `delete from kysely_migration where name = '${name}'`);
    const add = (name: string) => asOwner(other.url, `insert into kysely_migration values ('${name}', now()::text)`);
    await add('9999_future');
    await assert.rejects(prepare({ databaseUrl: url }), (error: Error) => {
      assert.ok(error instanceof SchemaError);
      assert.match(error.message, /newer version of Kissi \(9999_future\)/);
      return true;
    });
    await remove('9999_future');
    await remove('0001_baseline');
    await assert.rejects(prepare({ databaseUrl: url }), (error: Error) => {
      assert.ok(error instanceof SchemaError);
      assert.match(error.message, /lacks 1 migration\(s\), the first one 0001_baseline.*npm run db:migrate/);
      return true;
    });
  } finally {
    await asOwner(other.url, `drop owned by ${login}`);
    await other.close();
  }
});

test('a login without rights on the tables is refused with the command that grants them', async () => {
  const { login, url } = loginUrl();
  await asOwner(db.url, `create role ${login} login password 'a:b/c d'`);
  await asOwner(db.url, `grant select on kysely_migration to ${login}`);
  await assert.rejects(prepare({ databaseUrl: url }), {
    message: /has no rights on the tables. Run npm run db:migrate/,
  });
});

test("db:migrate without the owner's login does nothing", async () => {
  const { code, output } = await migrateCommand({ DATABASE_URL: db.url });
  assert.equal(code, 1);
  assert.match(output, /DATABASE_ADMIN_URL is not set/);
});

test('on the embedded server the service logs in as kissi_app, which owns nothing', async () => {
  const rights = await loginRights(await appUrl(db.url));
  assert.deepEqual(rights, { user: 'kissi_app', isMember: true, excess: [] });
});
