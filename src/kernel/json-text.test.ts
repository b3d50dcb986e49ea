// The JSON scanner, compared with JSON.parse.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { membersOf, withMember } from './json-text.ts';

const DEPTH = 64;
const METADATA = new Set(['metadata']);

/** The text of the metadata member; undefined if there is none. */
function metadataOf(json: string): string | undefined {
  const found = membersOf(json, METADATA, DEPTH);
  assert.ok('texts' in found && found.texts !== null, json);
  return found.texts.get('metadata');
}

function flawOf(json: string, maxDepth = DEPTH): string | null {
  const found = membersOf(json, METADATA, maxDepth);
  return 'flaw' in found ? found.flaw : null;
}

function isParsed(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

describe('members of an object', () => {
  test('are returned verbatim', () => {
    const numbers = ['1e400', '1.0', '-0', '12345678901234567890', '-1.50E+05', '0.0e-0'];
    const others = ['null', 'true', 'false', '""', '"\\u0041\\"}"', '[ 1 ,\n2 ]', '{ }', '{"__proto__":{"a":1}}'];
    for (const value of [...numbers, ...others]) {
      for (const json of [
        `{"metadata":${value}}`,
        ` { "a" : {"metadata":1} , "metadata" : ${value} , "b":[{"metadata":2}] } \n`,
        `\uFEFF{"x":"\\\\","metadata":${value}\t}`,
        `{"\\u006detadata":${value}}`,
        `{"metadata":0,"y":"}","metadata":${value}}`,
      ]) {
        assert.equal(metadataOf(json), value, json);
      }
    }
  });

  test('may be absent or null, and are only those of the outermost object', () => {
    for (const json of ['{}', ' {"a":1}', '{"a":{"metadata":1}}', '{"a":"\\"metadata\\":1"}', '{"Metadata":1}']) {
      assert.equal(metadataOf(json), undefined, json);
    }
    assert.equal(metadataOf('{"metadata":null}'), 'null');
    for (const json of ['[]', ' null ', '1', '"text"', 'true', '[{"metadata":1}]']) {
      assert.deepEqual(membersOf(json, METADATA, DEPTH), { texts: null }, json);
    }
  });

  test('parse to the value that JSON.parse finds, whatever surrounds it', () => {
    const anything = fc.jsonValue({ maxDepth: 6 });
    const property = fc.property(anything, fc.dictionary(fc.string(), anything), fc.nat(3), (value, around, indent) => {
      const { metadata: _, ...others } = around;
      const json = JSON.stringify({ ...others, metadata: value, last: [value] }, null, indent);
      fc.pre(isStorable(JSON.parse(json)));
      const text = metadataOf(json) ?? '';
      assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify(JSON.parse(json).metadata));
      assert.ok(json.includes(text));
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('flaws', () => {
  test('a text is valid exactly if JSON.parse accepts it, for random edits of valid texts', () => {
    const json = fc.json({ maxDepth: 4, stringUnit: 'binary' });
    const fragment = fc.oneof(
      fc.constantFrom(...'{}[],:"\\+-.eE0123456789tfnu \t\r\n\f\u00a0\u2028\uFEFF'),
      fc.constantFrom(
        '\\u',
        '\\u00e9',
        '\\x',
        'null',
        'true',
        'false',
        'nul',
        '1.',
        '.5',
        '01',
        '1e',
        '{"a":1,}',
        '[1,]',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    const edit = fc.record({ at: fc.nat(), removed: fc.nat(3), fragment });
    const property = fc.property(json, fc.nat(2), fc.array(edit, { maxLength: 3 }), (text, indent, edits) => {
      let edited = JSON.stringify(JSON.parse(text), null, indent);
      for (const { at, removed, fragment: put } of edits) {
        const position = at % (edited.length + 1);
        edited = edited.slice(0, position) + put + edited.slice(position + removed);
      }
      // A byte order mark is accepted here, but not by JSON.parse.
      const flaw = flawOf(edited);
      if (flaw !== 'unstorable') assert.equal(flaw === null, isParsed(edited.replace(/^\uFEFF/, '')), edited);
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  test('unstorable characters are found in names and values, and only those', () => {
    const part = fc.constantFrom(
      '\\u0000',
      '\\ud83c',
      '\\uDFE6',
      '\\u0041',
      '\\uD83C\\udfe6',
      '\\\\u0000',
      'a',
      '"',
      '\\n',
    );
    const property = fc.property(fc.array(part, { maxLength: 5 }), fc.boolean(), (parts, inName) => {
      const text = parts.join('').replaceAll('"', '\\"');
      const json = inName ? `{"x":[{"${text}":1}]}` : `{"x":[1,{"y":"${text}"}]}`;
      assert.equal(flawOf(json), isStorable(JSON.parse(json)) ? null : 'unstorable', json);
    });
    fc.assert(property, { numRuns: 1_000 });
    assert.equal(flawOf('{"x":{"a":"\\u0000","a":1}}'), 'unstorable', 'JSON.parse would drop it');
  });

  test('the flawed member is named if it was requested', () => {
    const memberOf = (json: string) => membersOf(json, METADATA, DEPTH);
    assert.deepEqual(memberOf('{"a":1,"metadata":[{"b":"\\u0000"}]}'), { flaw: 'unstorable', member: 'metadata' });
    assert.deepEqual(memberOf('{"metadata":1,"other":"\\ud800"}'), { flaw: 'unstorable', member: null });
    assert.deepEqual(memberOf('{"metadata":1,"\\ud800":1}'), { flaw: 'unstorable', member: null });
  });

  test('nesting is limited, which bounds the recursion', () => {
    const nested = (depth: number) => `{"metadata":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    assert.equal(flawOf(nested(DEPTH)), null);
    assert.equal(flawOf(nested(DEPTH + 1)), 'too deep');
    assert.equal(flawOf('{"a":'.repeat(DEPTH + 1)), 'too deep');
    assert.equal(flawOf('['.repeat(1_000_000)), 'too deep');
    assert.equal(flawOf('[[]]', 1), 'too deep');
    assert.equal(flawOf('[]', 1), null);
    assert.equal(flawOf(`{"a":"${'['.repeat(1_000)}"}`), null);
  });
});

test('a member is appended at the end', () => {
  assert.equal(withMember('{"a":1}', 'b', ' 1.0 '), '{"a":1,"b": 1.0 }');
  assert.equal(withMember('{}', 'b', '[]'), '{"b":[]}');
});
