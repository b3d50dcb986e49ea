// Verifies that the catalogue of the database is the one that the migrations make.
//
// The owner of the database could use other objects to change rows while the service writes them, or to hide rows from it; and
// could drop constraints and rights that keep rows as they were written.
import { CATALOGUE, readCatalogueFile } from '../db/schema/catalogue.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  database_object_unknown: 'the database has an object, a right or a setting that no migration makes',
  database_object_changed: 'an object or a right of the database is not as the migrations make it',
  database_object_missing: 'an object or a right that a migration makes is missing',
} as const;

export const DATABASE_OBJECTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const expected = await readCatalogueFile();
    const missing = new Set(expected.keys());
    for await (const [name, definition] of rowsOf(connection, 'database_objects', CATALOGUE)) {
      const known = expected.get(String(name));
      missing.delete(String(name));
      if (known === undefined) findings.fault('database_object_unknown', String(name), String(definition));
      else if (known !== definition) {
        findings.fault('database_object_changed', String(name), `"${definition}" instead of "${known}"`);
      }
    }
    for (const name of missing) findings.fault('database_object_missing', name, `"${expected.get(name)}"`);
  },
};
