// ledger:verify detects when the database's owner grants rights to others or switches protection off. It does not report
// legitimate differences between installations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { notOnCluster } from '../support/citus.ts';
import { CHANGED, catalogueForFile, type Tampering, testDetection, UNKNOWN } from './tampered-catalogue.ts';

/** Roles belong to the server, which other files use too: each has its own name and is gone after the transaction. */
const [LOGIN, OTHER] = ['catalogue_login', 'catalogue_other'];
const AS_POSTGRESQL = `execute 'set local allow_system_table_mods = on'`;
const MEMBER = `create role ${LOGIN} login in role ${APP_ROLE}`;

const TAMPERINGS: Tampering[] = [
  [
    'a table with another owner',
    `create role ${OTHER}; alter table approvals owner to ${OTHER}`,
    CHANGED,
    'table approvals',
  ],
  [
    'a function with another owner',
    `create role ${OTHER}; alter function search_words(text) owner to ${OTHER}`,
    CHANGED,
    'function search_words(text)',
  ],
  [
    'a schema with another owner',
    `create role ${OTHER}; alter schema public owner to ${OTHER}`,
    UNKNOWN,
    'owner of the schema public',
  ],
  [
    'a database that belongs to the service',
    `execute format('alter database %I owner to ${APP_ROLE}', current_database())`,
    UNKNOWN,
    'owner of the database',
  ],
  ['a service login that may create roles', `${MEMBER} createrole`, UNKNOWN, `role ${LOGIN}, a member of ${APP_ROLE}`],
  [
    'a service login that may write everything',
    `${MEMBER}; grant pg_write_all_data to ${LOGIN}`,
    UNKNOWN,
    `${LOGIN}, a member of ${APP_ROLE}, as member of pg_write_all_data`,
  ],
  [
    'a setting on a service login',
    `${MEMBER}; alter role ${LOGIN} set session_replication_role = replica`,
    UNKNOWN,
    `setting of the role ${LOGIN}`,
  ],
  [
    'the right to switch triggers off',
    `grant set on parameter session_replication_role to ${APP_ROLE}`,
    UNKNOWN,
    `grant on parameter session_replication_role to ${APP_ROLE}`,
  ],
  [
    'the right to create schemas',
    `execute format('grant create on database %I to public', current_database())`,
    UNKNOWN,
    'grant on the database to public',
  ],
  [
    "the right to read the server's files",
    `grant execute on function pg_read_file(text) to ${APP_ROLE}`,
    UNKNOWN,
    `grant on function pg_read_file(text) to ${APP_ROLE}`,
  ],
  ['disabled foreign keys', 'alter table api_keys disable trigger all', UNKNOWN, 'trigger RI_ConstraintTrigger'],
  [
    'a foreign key whose triggers were removed',
    `${AS_POSTGRESQL}; delete from pg_trigger where tgconstraint = (select oid from pg_constraint
       where contype = 'f' and conrelid = 'passkeys'::regclass limit 1)`,
    CHANGED,
    'constraint passkeys_',
  ],
  [
    'ignored triggers',
    `${AS_POSTGRESQL}; update pg_class set relhastriggers = false where oid = 'subscribers'::regclass`,
    CHANGED,
    'table subscribers',
  ],
  [
    'ignored indexes',
    `${AS_POSTGRESQL}; update pg_class set relhasindex = false where oid = 'reconciliation_runs'::regclass`,
    CHANGED,
    'table reconciliation_runs',
  ],
  [
    'ignored check constraints',
    `${AS_POSTGRESQL}; update pg_class set relchecks = 0 where oid = 'subscribers'::regclass`,
    CHANGED,
    'table subscribers',
  ],
  ...['called on null input', 'volatile', 'leakproof', 'parallel unsafe'].map(
    (attribute): Tampering => [
      `a function that is ${attribute}`,
      `alter function identity_number(text) ${attribute}`,
      CHANGED,
      'function identity_number(text)',
    ],
  ),
  [
    'a sequence that skips numbers',
    'alter sequence fee_settings_id_seq cache 1000',
    CHANGED,
    'sequence fee_settings_id_seq',
  ],
  [
    'a sequence that is lost in a crash',
    'alter sequence fee_settings_id_seq set unlogged',
    CHANGED,
    'sequence fee_settings_id_seq',
  ],
  [
    'an event trigger',
    'create function f() returns event_trigger language plpgsql as $f$ begin end $f$; create event trigger e on sql_drop execute function f()',
    UNKNOWN,
    'event trigger e',
  ],
  ['a policy', 'create policy hidden on users using (false)', UNKNOWN, 'policy hidden on users'],
];

const { faultsAfter } = catalogueForFile();
testDetection(faultsAfter, TAMPERINGS);

const LEGITIMATE: [what: string, statements: string][] = [
  ['a service login', MEMBER],
  ['a service role that can log in, as it can when embedded and on a cluster', `alter role ${APP_ROLE} login`],
  ['the right to read statistics', `grant pg_read_all_stats to ${APP_ROLE}`],
  ['a login for reports', `create role ${OTHER} login; grant pg_read_all_data to ${OTHER}`],
  [
    "an administrator who created the service's role",
    `create role ${OTHER} createrole; grant ${APP_ROLE} to ${OTHER} with admin option`,
  ],
  ["a tool's temporary table", 'create temp table report (id text)'],
  [
    'an owner that is not a superuser, and its members',
    `create role ${OTHER} createrole; grant ${APP_ROLE} to ${OTHER}; alter schema public owner to ${OTHER};
     perform set_config('search_path', 'public', true);
     execute (select string_agg(format('alter table %s owner to ${OTHER}', oid::regclass), ';')
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r');
     create role ${LOGIN} login; grant ${OTHER}, ${APP_ROLE} to ${LOGIN}; alter table users owner to ${LOGIN}`,
  ],
];

for (const [what, statements] of LEGITIMATE) {
  const onOne = notOnCluster("Citus passes a table's owner on to the workers, which do not know the role yet");
  test(`ledger:verify does not report ${what}`, what.startsWith('an owner') ? onOne : {}, async () => {
    assert.deepEqual(await faultsAfter(statements), []);
  });
}
