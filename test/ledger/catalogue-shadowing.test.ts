// Objects in the schema of PostgreSQL itself, temporary ones and members of extensions replace what the service means: they do
// not take effect, or ledger:verify detects them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnection, openDatabase } from '../../src/db/database.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { APP_ROLE } from '../../src/db/schema/migrate.ts';
import { testDatabase } from '../support/database.ts';
import { asOwner } from './books.ts';
import { CHANGED, catalogueForFile, type Tampering, testDetection, UNKNOWN } from './tampered-catalogue.ts';

const AS_POSTGRESQL = `execute 'set local allow_system_table_mods = on'`;
const TRIGGER_FUNCTION = 'returns trigger language plpgsql as $f$ begin return new; end $f$';

const TAMPERINGS: Tampering[] = [
  [
    'a table among those of PostgreSQL',
    `${AS_POSTGRESQL}; create table pg_catalog.approval_policies (like public.approval_policies)`,
    UNKNOWN,
    'table pg_catalog.approval_policies',
  ],
  [
    'a view among those of PostgreSQL',
    `${AS_POSTGRESQL}; create view pg_catalog.users as select * from public.users where current_user <> '${APP_ROLE}'`,
    UNKNOWN,
    'view, foreign table or composite type pg_catalog.users',
  ],
  ['a table in the information schema', 'create table information_schema.hidden (id text)', UNKNOWN, 'table infor'],
  [
    'a function that fits better than that of PostgreSQL',
    `${AS_POSTGRESQL}; create function pg_catalog.lower(a varchar) returns text language sql as 'select a::text'`,
    UNKNOWN,
    'function lower(character varying)',
  ],
  [
    'an operator that fits better than that of PostgreSQL',
    `${AS_POSTGRESQL}; create function pg_catalog.same(varchar, varchar) returns boolean language sql as 'select true';
     create operator pg_catalog.= (leftarg = varchar, rightarg = varchar, function = same)`,
    UNKNOWN,
    'operator =(character varying,character varying)',
  ],
  [
    'a temporary table with the name of one of the service',
    'create temp table users (id text)',
    UNKNOWN,
    'temporary table users',
  ],
  [
    'a trigger whose function is in the schema of PostgreSQL and a member of an extension',
    `${AS_POSTGRESQL}; create function pg_catalog.audit_head_moves_on() ${TRIGGER_FUNCTION};
     alter extension plpgsql add function pg_catalog.audit_head_moves_on(); drop trigger audit_head_moves_on on audit_head;
     create trigger audit_head_moves_on before update on audit_head for each row execute function pg_catalog.audit_head_moves_on()`,
    CHANGED,
    'trigger audit_head_moves_on on audit_head',
  ],
  [
    'a trigger whose function is in a schema that ends like that of the service',
    `create schema audit_head_public; create function audit_head_public.moves_on() ${TRIGGER_FUNCTION};
     alter extension plpgsql add schema audit_head_public; alter extension plpgsql add function audit_head_public.moves_on();
     drop trigger audit_head_moves_on on audit_head;
     create trigger audit_head_moves_on before update on audit_head for each row execute function audit_head_public.moves_on()`,
    CHANGED,
    'trigger audit_head_moves_on on audit_head',
  ],
  ...['plpgsql', 'pg_trgm'].map(
    (extension): Tampering => [
      `a function that was made a member of ${extension}`,
      `create function planted() returns int language sql as 'select 1'; alter extension ${extension} add function planted()`,
      UNKNOWN,
      'function planted()',
    ],
  ),
  [
    'an event trigger that is a member of an extension',
    `create function on_change() returns event_trigger language plpgsql as $f$ begin end $f$;
     create event trigger on_change on ddl_command_end execute function on_change(); alter extension pg_trgm add event trigger on_change`,
    UNKNOWN,
    'event trigger on_change',
  ],
  ['an extension that no migration needs', 'create extension citext', UNKNOWN, 'extension citext'],
  ['a composite type', 'create type pair as (a int, b int)', UNKNOWN, 'view, foreign table or composite type pair'],
  ['a foreign data wrapper', 'create foreign data wrapper elsewhere', UNKNOWN, 'foreign data wrapper elsewhere'],
];

const { faultsAfter } = catalogueForFile();
testDetection(faultsAfter, TAMPERINGS);

test("temporary tables of a session do not replace the service's", async () => {
  const db = await testDatabase();
  const service = openDatabase({ url: db.url, poolSize: 4, role: APP_ROLE });
  const tool = await openConnection(db.url, 'a tool');
  const CREATE = statement('create-temporary', 'create temp table approval_policies (enabled boolean)');
  const TABLE = statement(
    'where',
    `select 'approval_policies'::regclass::oid = 'public.approval_policies'::regclass::oid`,
  );
  try {
    await asOwner(db.url, (client) => client.query(`grant temporary on database ${client.database} to ${APP_ROLE}`));
    const held = await service.pool.connect();
    await held.execute(CREATE);
    assert.deepEqual(await held.run(TABLE), [['t']]);
    held.release();
    await tool.execute(CREATE);
    assert.deepEqual(await tool.run(TABLE), [['t']]);
  } finally {
    tool.discard();
    await service.close();
    await db.close();
  }
});
