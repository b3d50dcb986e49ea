// Verifies that the catalogue of the database is the one that the migrations make.
//
// The owner of the database could use other objects to change rows while the service writes them, or to hide rows from it; and
// could drop constraints and rights that keep rows as they were written.

import { statement } from '../db/driver/statement.ts';
import { CATALOGUE, CATALOGUE_PATH, readCatalogueFile } from '../db/schema/catalogue.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  database_object_unknown: 'the database has an object, a right or a setting that no migration makes',
  database_object_changed: 'an object or a right in the database differs from what the migrations make',
  database_object_missing: 'an object or a right that a migration makes is missing',
} as const;

const CURRENT_PATH = statement('objects-current-path', `select current_setting('search_path')`, ([path]) =>
  String(path),
);
const SET_PATH = statement('objects-set-path', `select set_config('search_path', $1, true)`);

export const DATABASE_OBJECTS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const expected = await readCatalogueFile();
    const seen = new Set<string>();
    const [path = ''] = await connection.run(CURRENT_PATH);
    await connection.run(SET_PATH, [CATALOGUE_PATH]);
    for await (const [object, definition] of rowsOf(connection, 'database_objects', CATALOGUE)) {
      const name = String(object);
      const known = seen.has(name) ? undefined : expected.get(name);
      seen.add(name);
      if (known === undefined) findings.fault('database_object_unknown', name, String(definition));
      else if (known !== definition) {
        findings.fault('database_object_changed', name, `"${definition}" instead of "${known}"`);
      }
    }
    await connection.run(SET_PATH, [path]);
    for (const name of expected.keys()) {
      if (!seen.has(name)) findings.fault('database_object_missing', name, `"${expected.get(name)}"`);
    }
  },
};
