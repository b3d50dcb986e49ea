// A dump prints the objects of a database and a restore reads them again: ledger:verify reports none of them as changed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateCatalogue } from '../../scripts/db-types/generate.ts';
import { initServer } from '../../scripts/drill/postgres-server.ts';
import { createSandbox, findPostgresql } from '../../scripts/drill/sandbox.ts';
import { CATALOGUE_FILE } from '../../src/db/schema/catalogue.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { notOnCluster } from '../support/citus.ts';
import { CHANGED, catalogueForFile } from './tampered-catalogue.ts';

const { faultsAfter } = catalogueForFile();
const ONE_SERVER = notOnCluster('it creates objects of distributed tables again');
const IS_OF_SERVICE = (table: string) =>
  `${table} in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')`;

/** Executes the texts that a query returns. */
const executeEach = (query: string) => `declare one text; begin for one in ${query} loop execute one; end loop; end`;

/** Creates again, from what PostgreSQL prints, all that contains expressions. */
const CHECKS =
  executeEach(`select format('alter table %s drop constraint %I, add constraint %2$I %s', conrelid::regclass,
  conname, pg_get_constraintdef(oid)) from pg_constraint where contype = 'c' and ${IS_OF_SERVICE('conrelid')}`);
const INDEXES =
  executeEach(`select format('drop index %s; %s', indexrelid::regclass, pg_get_indexdef(indexrelid)) from pg_index
  where ${IS_OF_SERVICE('indrelid')} and not exists (select from pg_constraint where conindid = indexrelid)`);
const DEFAULTS =
  executeEach(`select format('alter table %s alter column %I set default %s', attrelid::regclass, attname,
  pg_get_expr(adbin, adrelid)) from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
  where attgenerated = '' and ${IS_OF_SERVICE('adrelid')}`);

for (const [what, statements] of Object.entries({ checks: CHECKS, indexes: INDEXES, defaults: DEFAULTS })) {
  test(`the ${what} of the schema are the same when created from their printed form`, ONE_SERVER, async () => {
    assert.deepEqual(await faultsAfter(statements), []);
  });
}

test('a check with other parentheses that accepts other rows is reported', ONE_SERVER, async () => {
  const faults =
    await faultsAfter(`alter table cards drop constraint cards_serial_check, add constraint cards_serial_check
    check (length(serial) >= 4 and (length(serial) <= 64 or serial !~ '[^A-Z0-9._:-]'))`);
  assert.deepEqual(
    faults.map(({ rule, about }) => [rule, about]),
    [[CHANGED, 'constraint cards_serial_check on cards']],
  );
});

// The embedded PostgreSQL has no pg_dump, and pg_dump reads no server that is newer than itself.
const bin = await findPostgresql();
const INSTALLED = { skip: bin === null && 'PostgreSQL with pg_dump is not installed from Debian packages' };

test('a database that was dumped and restored has the catalogue that the migrations make', INSTALLED, async (t) => {
  const sandbox = await createSandbox('restore');
  t.after(() => sandbox.close());
  const server = await initServer(sandbox, String(bin), 'server', 'fsync = off');
  await migrate(server.url);
  const dump = join(sandbox.directory, 'kissi.dump');
  await sandbox.run(join(String(bin), 'pg_dump'), '-Fc', '-d', server.url, '-f', dump);
  await server.query('create database restored owner kissi');
  const restored = Object.assign(new URL(server.url), { pathname: 'restored' }).toString();
  await sandbox.run(join(String(bin), 'pg_restore'), '--exit-on-error', '-d', restored, dump);

  const [before, after] = await Promise.all([server.url, restored].map(generateCatalogue));
  assert.deepEqual(after?.split('\n'), before?.split('\n'));
  assert.equal(after, await readFile(new URL(`../../${CATALOGUE_FILE}`, import.meta.url), 'utf8'));
});
