// The generated table types match the migrated schema.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { generateTypes, TYPES_FILE } from '../../scripts/db-types/generate.ts';
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
