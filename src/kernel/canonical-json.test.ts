// Canonical JSON: equal values have one text, and different values have different ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalJson, canonicalJsonText } from './canonical-json.ts';

/** The same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
}

describe('canonical JSON of a value', () => {
  test('sorts the keys of every object and keeps the order of arrays', () => {
    assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }, 'x'], a: null }), '{"a":null,"b":[{"c":2,"d":1},"x"]}');
    assert.equal(canonicalJson([2, 1]), '[2,1]');
  });

  test('does not depend on the order of keys, and parses to the same value', () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
      assert.equal(canonicalJson(JSON.parse(canonicalJson(value))), canonicalJson(value));
    });
    fc.assert(property);
  });
});

describe('canonical JSON of a text', () => {
  test('ignores white space, escapes and the order of keys', () => {
    const texts = [
      '{"a":"é","b":[1,true]}',
      ' { "b" : [ 1 , true ] , "a" : "\\u00e9" } ',
      '{"\\u0061":"é","b":[1,true]}',
    ];
    assert.equal(new Set(texts.map(canonicalJsonText)).size, 1);
  });

  test('distinguishes numbers by their notation, and from strings', () => {
    const texts = [
      '1',
      '1.0',
      '1e0',
      '"1"',
      '"n1"',
      '9007199254740993',
      '9007199254740992',
      '1e400',
      '-0',
      '0',
      'null',
    ];
    assert.equal(new Set(texts.map((text) => canonicalJsonText(`{"a":${text}}`))).size, texts.length);
  });

  test('agrees with the comparison of values', () => {
    const property = fc.property(fc.jsonValue(), fc.jsonValue(), fc.nat(2), (one, other, indent) => {
      const [left, right] = [JSON.stringify(one, null, indent), JSON.stringify(reversed(other))];
      assert.equal(canonicalJsonText(left) === canonicalJsonText(right), canonicalJson(one) === canonicalJson(other));
      assert.equal(canonicalJsonText(left), canonicalJsonText(JSON.stringify(reversed(one))));
    });
    fc.assert(property);
  });
});
