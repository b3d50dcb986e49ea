// The binary form of arrays, as PostgreSQL reads it back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { byteaArray, int8Array, jsonArray, textArray } from './binary-arrays.ts';

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

async function readBack(type: string, array: Buffer): Promise<unknown[]> {
  const { rows } = await db.query(`select $1::${type}[] as given`, [array]);
  return rows[0].given;
}

test('texts come back as they were, also nulls, quotes, braces, other scripts and the empty array', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed() && !value.includes('\0'));
  const texts = fc.array(fc.option(text));
  const awkward = ['', 'null', 'NULL', '{}', '"', '\\', ',', 'Kɔrɔ Bɔ', '🪙', 'a\nb', null];
  await fc.assert(
    fc.asyncProperty(texts, async (given) => assert.deepEqual(await readBack('text', textArray(given)), given)),
    { numRuns: 50, examples: [[awkward], [[]]] },
  );
});

test('whole numbers of either sign come back up to 2^53-1', async () => {
  const limits = [0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 31 - 1, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.maxSafeInteger()), async (given) =>
      assert.deepEqual((await readBack('bigint', int8Array(given))).map(Number), given),
    ),
    { numRuns: 50, examples: [[limits], [[]]] },
  );
});

test('JSON texts and bytes come back as they were', async () => {
  const given = ['{"a": 1}', 'null', null, '"x"'];
  const { rows } = await db.query('select ($1::json[])::text[] as given', [jsonArray(given)]);
  assert.deepEqual(rows[0].given, given);
  const bytes = [Buffer.from([0, 255, 34]), Buffer.alloc(0)];
  assert.deepEqual(await readBack('bytea', byteaArray(bytes)), bytes);
});
