// Arrays encoded in binary format arrive in PostgreSQL unchanged.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { byteaArray, int8Array, jsonArray, textArray, timestampArray } from './binary-arrays.ts';

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

async function readBack(type: string, array: Buffer): Promise<unknown[]> {
  const { rows } = await db.query(`select $1::${type}[] as values`, [array]);
  return rows[0].values;
}

test('texts round-trip: nulls, quotes, braces, other scripts and the empty array', async () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed() && !value.includes('\0'));
  const texts = fc.array(fc.option(text));
  const awkward = ['', 'null', 'NULL', '{}', '"', '\\', ',', 'Kɔrɔ Bɔ', '🪙', 'a\nb', null];
  await fc.assert(
    fc.asyncProperty(texts, async (values) => assert.deepEqual(await readBack('text', textArray(values)), values)),
    { numRuns: 50, examples: [[awkward], [[]]] },
  );
});

test('integers round-trip up to ±(2^53-1), and nulls', async () => {
  const limits = [0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 31 - 1, -(2 ** 31), 2 ** 53 - 1, -(2 ** 53) + 1];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger())), async (values) => {
      const found = (await readBack('bigint', int8Array(values))) as (string | null)[];
      assert.deepEqual(
        found.map((value) => (value === null ? null : Number(value))),
        values,
      );
    }),
    { numRuns: 50, examples: [[limits], [[null]], [[]]] },
  );
});

test('timestamps round-trip to the millisecond, also before 2000 and nulls', async () => {
  const dates = fc.date({ min: new Date('1715-01-01'), max: new Date('2284-12-31'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(dates)), async (values) =>
      assert.deepEqual(await readBack('timestamptz', timestampArray(values)), values),
    ),
    { numRuns: 50, examples: [[[new Date(0), null, new Date('1999-12-31T23:59:59.999Z')]], [[]]] },
  );
});

test('JSON texts and bytes round-trip', async () => {
  const values = ['{"a": 1}', 'null', null, '"x"'];
  const { rows } = await db.query('select ($1::json[])::text[] as values', [jsonArray(values)]);
  assert.deepEqual(rows[0].values, values);
  const bytes = [Buffer.from([0, 255, 34]), Buffer.alloc(0), null, Buffer.from([7])];
  assert.deepEqual(await readBack('bytea', byteaArray(bytes)), bytes);
});
