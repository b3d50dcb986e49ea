// The scanner of JSON texts, held against the parser.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memberText, parseKeepingNumbers, withMember } from './json-text.ts';

describe('memberText', () => {
  test('gives a value as it was written', () => {
    const values = [
      '1e400',
      '1.0',
      '-0',
      '12345678901234567890',
      'null',
      'true',
      '""',
      '"\\u0041\\"}"',
      '[ 1 ,\n2 ]',
      '{ }',
    ];
    for (const value of values) {
      for (const json of [
        `{"metadata":${value}}`,
        ` { "a" : {"metadata":1} , "metadata" : ${value} , "b":[{"metadata":2}] } \n`,
        `\uFEFF{"x":"\\\\","metadata":${value}\t}`,
        `{"\\u006detadata":${value}}`,
        `{"metadata":0,"y":"}","metadata":${value}}`,
      ]) {
        assert.equal(memberText(json, 'metadata'), value, json);
      }
    }
  });

  test('tells absent from null, and sees only the outermost object', () => {
    for (const json of ['{}', ' {"a":1}', '{"a":{"metadata":1}}', '{"a":"\\"metadata\\":1"}', '{"Metadata":1}']) {
      assert.equal(memberText(json, 'metadata'), undefined, json);
    }
    assert.equal(memberText('{"metadata":null}', 'metadata'), 'null');
  });

  test('is the text of what parsing finds, whatever stands around it', () => {
    const anything = fc.jsonValue({ maxDepth: 6 });
    const property = fc.property(anything, fc.dictionary(fc.string(), anything), fc.nat(3), (value, around, indent) => {
      const { metadata: _, ...others } = around;
      const json = JSON.stringify({ ...others, metadata: value, last: [value] }, null, indent);
      const text = memberText(json, 'metadata') ?? '';
      assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify(JSON.parse(json).metadata));
      assert.ok(json.includes(text));
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('does not lose itself in the depths', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    assert.equal(memberText(`{"metadata":${deep}}`, 'metadata'), deep);
  });
});

test('a member is added at the end', () => {
  assert.equal(withMember('{"a":1}', 'b', ' 1.0 '), '{"a":1,"b": 1.0 }');
  assert.equal(withMember('{}', 'b', '[]'), '{"b":[]}');
});

test('numbers parsed to be written again are written as they were', () => {
  for (const json of ['1e400', '{"a":[1.0,-0,12345678901234567890,{"b":0.10}],"c":"1.0"}', 'null', '"x"']) {
    assert.equal(JSON.stringify(parseKeepingNumbers(json)), json);
  }
});
