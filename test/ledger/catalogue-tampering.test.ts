// The database's owner changes its catalogue, with which rows can be changed, replaced or hidden: ledger:verify detects it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnection, openDatabase } from '../../src/db/database.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { asOwner } from './books.ts';
import { CHANGED, catalogueForFile, MISSING, type Tampering, testDetection, UNKNOWN } from './tampered-catalogue.ts';

const OWN_TRIGGERS = `tgisinternal and tgrelid = 'api_keys'::regclass and tgfoid::regproc::text ~ 'RI_FKey_check'`;
/** Changes to the foreign keys of api_keys, each of which leaves them their four triggers. */
const FOREIGN_KEYS: Tampering[] = Object.entries({
  'that fires for no event': 'tgtype = 33',
  'that fires for rows that are removed': 'tgtype = 9',
  'that calls a function which does nothing': `tgfoid = 'pg_catalog.suppress_redundant_updates_trigger'::regproc`,
  'of the other side': `tgfoid = 'pg_catalog."RI_FKey_noaction_del"'::regproc`,
  'that waits for the end of the transaction': 'tgdeferrable = true, tginitdeferred = true',
  'that names another table': `tgconstrrelid = 'users'::regclass`,
  'that belongs to another table': `tgrelid = 'saved_views'::regclass, tgname = tgname || 'x'`,
}).map(([what, change]) => [
  `a trigger of a foreign key ${what}`,
  `execute 'set local allow_system_table_mods = on'; update pg_trigger set ${change} where ${OWN_TRIGGERS}`,
  CHANGED,
  'constraint api_keys_',
]);

const TAMPERINGS: Tampering[] = [
  ...FOREIGN_KEYS,
  [
    'a trigger that changes what the service writes',
    `create function raise_role() returns trigger language plpgsql as $$ begin new.role = 'system_admin'; return new; end $$;
     create trigger raise_role before update on users for each row execute function raise_role()`,
    UNKNOWN,
    'trigger raise_role on users',
  ],
  [
    'a rule that drops changes',
    'create rule ignore as on update to subscribers do instead nothing',
    UNKNOWN,
    'rule ignore on subscribers',
  ],
  [
    'row-level security',
    'alter table compliance_alerts enable row level security',
    UNKNOWN,
    'row-level security of compliance_alerts',
  ],
  [
    'a view in the place of a table',
    'alter table nonces rename to nonces_kept; create view nonces as select * from nonces_kept where false',
    UNKNOWN,
    'table nonces_kept',
  ],
  ['a table that adds rows to another', 'create table ghosts () inherits (users)', UNKNOWN, 'table ghosts'],
  [
    'a disabled trigger',
    'alter table audit_head disable trigger audit_head_moves_on',
    CHANGED,
    'trigger audit_head_moves_on on audit_head',
  ],
  [
    'a planted function',
    'create function sum_of(a bigint) returns bigint language sql as $$ select a + 1 $$',
    UNKNOWN,
    'function sum_of(bigint)',
  ],
  [
    'a function with other code',
    `create or replace function search_words(name text) returns text[] language sql immutable strict parallel safe as $$ select '{}'::text[] $$`,
    CHANGED,
    'function search_words(text)',
  ],
  [
    'a schema named like the login, whose tables replace those of the service',
    `create schema ${APP_ROLE}; create table ${APP_ROLE}.approval_policies (like approval_policies)`,
    UNKNOWN,
    `schema ${APP_ROLE}`,
  ],
  [
    'a function in another schema',
    'create schema tools; create function tools.now() returns timestamptz language sql as $$ select now() $$',
    UNKNOWN,
    'function tools.now()',
  ],
  [
    'the right to change movements',
    `grant update on movements to ${APP_ROLE}`,
    CHANGED,
    `grant on table movements to ${APP_ROLE}`,
  ],
  ['a right of everybody', 'grant select on users to public', UNKNOWN, 'grant on table users to public'],
  [
    'the right to change one column',
    `grant update (amount) on movements to ${APP_ROLE}`,
    UNKNOWN,
    `grant on column movements.amount to ${APP_ROLE}`,
  ],
  [
    'a right that was taken away',
    `revoke insert on audit_inbox from ${APP_ROLE}`,
    CHANGED,
    `grant on table audit_inbox to ${APP_ROLE}`,
  ],
  [
    'the right to create tables',
    'grant create on schema public to public',
    CHANGED,
    'grant on schema public to public',
  ],
  [
    'rights on tables to come',
    `alter default privileges grant all on tables to ${APP_ROLE}`,
    UNKNOWN,
    'default rights',
  ],
  [
    'a dropped check constraint',
    'alter table reconciliation_progress drop constraint reconciliation_progress_single_check',
    MISSING,
    'constraint reconciliation_progress_single_check on reconciliation_progress',
  ],
  [
    'a constraint that does not hold for old rows',
    'alter table users add constraint named check (first_name is not null) not valid',
    UNKNOWN,
    'constraint named on users',
  ],
  ['a dropped unique index', 'drop index reconciliation_runs_running', MISSING, 'index reconciliation_runs_running'],
  [
    'a unique index that no longer is',
    `drop index reconciliation_runs_running;
     create index reconciliation_runs_running on reconciliation_runs (status) where status = 'running'`,
    CHANGED,
    'index reconciliation_runs_running',
  ],
  [
    'another default',
    `alter table approval_policies alter column enabled set default true`,
    CHANGED,
    'column approval_policies.enabled',
  ],
  [
    'a column that may be null',
    'alter table movements alter column amount drop not null',
    CHANGED,
    'column movements.amount',
  ],
  ['an added column', 'alter table users add column note text', UNKNOWN, 'column users.note'],
  ['a removed table', 'drop table nonces', MISSING, 'column nonces.nonce'],
  ['a table that is lost in a crash', 'alter table gateway_stripes set unlogged', CHANGED, 'table gateway_stripes'],
  [
    'a setting of the login',
    `alter role ${APP_ROLE} set search_path = tools, public`,
    UNKNOWN,
    `setting of the role ${APP_ROLE}`,
  ],
  [
    'a setting of the database',
    `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
    UNKNOWN,
    'setting of the database',
  ],
  ['a publication', 'create publication leak for table users', UNKNOWN, 'publication leak'],
  [
    'a cast that replaces a comparison',
    `create type shadow as enum ('a'); create cast (shadow as text) with inout as implicit`,
    UNKNOWN,
    'cast shadow as text',
  ],
  ['a role with further rights', `alter role ${APP_ROLE} bypassrls`, CHANGED, `role ${APP_ROLE}`],
  [
    'a login that becomes a member of another role',
    `grant pg_write_all_data to ${APP_ROLE}`,
    UNKNOWN,
    `${APP_ROLE} as member of pg_write_all_data`,
  ],
];

const { url, faultsAfter } = catalogueForFile();

test('ledger:verify reports nothing for the schema as the migrations make it', async () => {
  assert.deepEqual(await faultsAfter('perform 1'), []);
});

testDetection(faultsAfter, TAMPERINGS);

test("tables in a schema named like the login do not replace the service's", async () => {
  await asOwner(url(), (client) =>
    client.query(`create schema ${APP_ROLE}; grant usage on schema ${APP_ROLE} to ${APP_ROLE};
      create table ${APP_ROLE}.users (like public.users); grant select on ${APP_ROLE}.users to ${APP_ROLE};
      do $$ begin execute format('alter database %I set search_path = ${APP_ROLE}, public', current_database()); end $$`),
  );
  const service = openDatabase({ url: url(), poolSize: 4, role: APP_ROLE });
  const tool = await openConnection(url(), 'a tool');
  try {
    const TABLE = statement('where', `select 'users'::regclass::oid = 'public.users'::regclass::oid`);
    assert.deepEqual(await service.pool.run(TABLE), [['t']]);
    assert.deepEqual(await service.reader.run(TABLE), [['t']]);
    assert.deepEqual(await tool.run(TABLE), [['t']]);
  } finally {
    tool.discard();
    await service.close();
  }
});
