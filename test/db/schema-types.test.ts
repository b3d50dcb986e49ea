// The generated table types and the catalogue match the migrated schema.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { generateCatalogue, generateTypes, TYPES_FILE } from '../../scripts/db-types/generate.ts';
import { CATALOGUE_FILE } from '../../src/db/schema/catalogue.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

test('the checked-in types equal those generated from the migrated schema', async () => {
  const checkedIn = await readFile(new URL(`../../${TYPES_FILE}`, import.meta.url), 'utf8');
  assert.equal(checkedIn, await generateTypes(db.url), 'the schema has changed: run npm run db:types');
});

test('the checked-in catalogue equals the one of the migrated schema', async () => {
  const checkedIn = await readFile(new URL(`../../${CATALOGUE_FILE}`, import.meta.url), 'utf8');
  assert.equal(checkedIn, await generateCatalogue(db.url), 'the schema has changed: run npm run db:types');
});
