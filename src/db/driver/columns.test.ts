// Decoders return the values that PostgreSQL sends in text format.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import {
  bool,
  byteas,
  bytes,
  integer,
  integerOrNull,
  integers,
  json,
  nullable,
  record,
  text,
  textOrNull,
  texts,
  textsOrNone,
  timestamp,
  timestampOrNull,
} from './columns.ts';
import { statement } from './statement.ts';

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

test('columns of every type are decoded', async () => {
  const TYPES = statement(
    'every-type',
    `select 'Kɔrɔ', 9007199254740991, -1::smallint, true, false, '\\x00ff22'::bytea, array['a', 'b "c"', '{,}'],
      array[1, -9007199254740991], array['\\x00'::bytea, '\\xff'::bytea], '{"a": [1, null]}'::json,
      timestamptz '2026-01-02 03:04:05.678+00', array[]::text[]`,
    record({
      name: text,
      largest: integer,
      small: integer,
      yes: bool,
      no: bool,
      bytes,
      texts,
      integers,
      byteas,
      json: json<{ a: unknown[] }>,
      at: timestamp,
      none: texts,
    }),
  );
  assert.deepEqual(await db.database.reader.run(TYPES), [
    {
      name: 'Kɔrɔ',
      largest: Number.MAX_SAFE_INTEGER,
      small: -1,
      yes: true,
      no: false,
      bytes: Buffer.from([0, 255, 34]),
      texts: ['a', 'b "c"', '{,}'],
      integers: [1, -Number.MAX_SAFE_INTEGER],
      byteas: [Buffer.from([0]), Buffer.from([255])],
      json: { a: [1, null] },
      at: new Date('2026-01-02T03:04:05.678Z'),
      none: [],
    },
  ]);
});

test('nullable columns decode null', () => {
  const decode = record({ a: textOrNull, b: integerOrNull, c: timestampOrNull, d: nullable(bytes), e: textsOrNone });
  assert.deepEqual(decode([null, null, null, null, null]), { a: null, b: null, c: null, d: null, e: [] });
});

test('an integer outside the safe range throws a RangeError', () => {
  assert.throws(() => integer('9007199254740993'), RangeError);
  assert.throws(() => integer('not a number'), RangeError);
});
