// memberText against JSON.parse, on random well-formed objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memberText } from '../../src/kernel/json-text.ts';

const blanks = fc.constantFrom('', ' ', '\t', '\r\n', ' \n ');
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('metadata', '}', '{', '"', '\\', '\\"', ':', ',', '":1,"metadata":2'),
);
const escaped = (key: string) =>
  fc.constantFrom(
    JSON.stringify(key),
    `"${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  );
const value = fc.oneof(
  fc.json(),
  text.map((t) => JSON.stringify(t)),
  fc.constantFrom(
    '1e400',
    '-0',
    '1.0',
    'null',
    'true',
    '""',
    '{}',
    '[]',
    '[[],{"metadata":1}]',
    '"\\ud800"',
    '"\\u0000"',
  ),
);
const member = fc
  .oneof(fc.constant('metadata'), text)
  .chain((key) =>
    fc.tuple(
      key === 'metadata' ? escaped(key) : fc.constant(JSON.stringify(key)),
      value,
      blanks,
      blanks,
      blanks,
      blanks,
    ),
  )
  .map(([key, v, a, b, c, d]) => `${a}${key}${b}:${c}${v}${d}`);

test('the same value as parsing gives, of any object', () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), blanks, (members, blank) => {
      const json = `${blank}{${members.join(',')}${members.length ? '' : blank}}${blank}`;
      const parsed = JSON.parse(json) as Record<string, unknown>;
      const found = memberText(json, 'metadata');
      if (!Object.hasOwn(parsed, 'metadata')) assert.equal(found, undefined);
      else assert.deepEqual(JSON.parse(found ?? ''), parsed.metadata);
    }),
    { numRuns: 20_000 },
  );
});
