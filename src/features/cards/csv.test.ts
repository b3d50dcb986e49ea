// Tests of the CSV reader: splitting chunks into lines, and parsing each line into a card.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnsOf, fieldsOf, type Line, LineSplitter, MAX_LINE_CHARACTERS, readCardLine } from './csv.ts';

function lines(...chunks: (string | Uint8Array)[]): Line[] {
  const splitter = new LineSplitter();
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  return [...bytes.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()];
}
const texts = (...chunks: (string | Uint8Array)[]) => lines(...chunks).map(({ text }) => text);
const line = (text: string): Line => ({ number: 1, text, tooLong: false });

test('splits at LF and CRLF, accepts a last line without an end, and skips a byte order mark', () => {
  assert.deepEqual(texts('\ufeffserial\r\nA\n\nB'), ['serial', 'A', '', 'B']);
  assert.deepEqual(texts('A\n'), ['A']);
  assert.deepEqual(texts(''), []);
  assert.deepEqual(
    lines('a\r\n\r\nb').map(({ number }) => number),
    [1, 2, 3],
  );
});

test('yields the same lines for any chunk boundaries, even within a character', () => {
  const text = '\ufeffserial,label\r\nAB-1,Frère 🏦\r\n\r\nAB-2,"x, y"\nlast';
  const whole = lines(text);
  const property = fc.property(fc.array(fc.nat(70), { maxLength: 8 }), (positions) => {
    const bytes = new TextEncoder().encode(text);
    const edges = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
    const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
    assert.deepEqual(lines(...chunks), whole);
  });
  fc.assert(property);
});

test('accepts lines of 1,000 characters, truncates longer ones, and reads the next line in full', () => {
  const long = 'x'.repeat(MAX_LINE_CHARACTERS);
  const [fits, over, endless, next] = lines(`${long}\r\n${long}y\n`, long, long, long, '\nAB-1');
  assert.deepEqual([fits?.tooLong, fits?.text.length], [false, MAX_LINE_CHARACTERS]);
  assert.equal(over?.tooLong, true);
  assert.equal(endless?.tooLong, true);
  assert.ok((endless?.text.length ?? 0) <= MAX_LINE_CHARACTERS + 1);
  assert.deepEqual(next, { number: 4, text: 'AB-1', tooLong: false });
});

test('parses quoted and unquoted fields, and returns null for unbalanced quotes', () => {
  const cases: [string, string[] | null][] = [
    ['a,b', ['a', 'b']],
    ['a', ['a']],
    ['', ['']],
    [',', ['', '']],
    ['"a","b"', ['a', 'b']],
    ['a,"b, ""c"""', ['a', 'b, "c"']],
    [' "a" , "b" ', ['a', 'b']],
    ['"",""', ['', '']],
    ['"a",', ['a', '']],
    ['a,"b', null],
    ['a,b"c', null],
    ['a,"b"c', null],
    ['"', null],
    ['a,"b""', null],
  ];
  for (const [text, fields] of cases) assert.deepEqual(fieldsOf(text), fields, text);
});

test('parses any fields written as CSV back to the same fields', () => {
  const field = fc.string({ unit: 'grapheme', maxLength: 20 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), (fields) =>
      assert.deepEqual(fieldsOf(fields.map(quoted).join(',')), fields),
    ),
  );
});

test('rejects unterminated and misplaced quotes in a long line', () => {
  assert.equal(fieldsOf(`"${'""'.repeat(499)}`), null);
  assert.equal(fieldsOf(`${' '.repeat(999)}"`), null);
  assert.equal(fieldsOf(`""${' '.repeat(997)}"`), null);
});

test('accepts the headers serial and serial,label in any case', () => {
  const cases: [string, number | null][] = [
    ['serial', 1],
    ['Serial , LABEL', 2],
    ['"serial","label"', 2],
    ['serial;label', null],
    ['label,serial', null],
    ['serial,name', null],
    ['serial,label,x', null],
    ['04A2', null],
    ['', null],
  ];
  for (const [text, columns] of cases) assert.equal(columnsOf(line(text)), columns, text);
  assert.equal(columnsOf({ number: 1, text: 'serial', tooLong: true }), null);
});

test('reads a line into a card, or into a fault that quotes the given serial', () => {
  const read = (text: string, columns = 2) => readCardLine(line(text), columns);
  assert.deepEqual(read(' 04:a2:ff:01 , Market stall '), { serial: '04:A2:FF:01', label: 'Market stall' });
  assert.deepEqual(read('04a2'), { serial: '04A2', label: null });
  assert.deepEqual(read('04a2,e\u0301'), { serial: '04A2', label: 'é' });
  assert.deepEqual(read(`04a2,${'🏦'.repeat(100)}`), { serial: '04A2', label: '🏦'.repeat(100) });
  const faults: [string, number, RegExp][] = [
    ['abc', 1, /4 to 64/],
    [`${'a'.repeat(65)}`, 1, /4 to 64/],
    ['ABC\u017f1', 1, /4 to 64/],
    [',label', 2, /4 to 64/],
    [`04a2,${'é'.repeat(101)}`, 2, /at most 100/],
    ['04a2,x', 1, /2 fields/],
    ['04a2,x,y', 2, /3 fields/],
    ['04a2,"x', 2, /quotes/],
    ['04\0a2', 1, /U\+0000/],
    ['04a2,\ufffd', 2, /UTF-8/],
  ];
  for (const [text, columns, expected] of faults) {
    const fault = read(text, columns);
    assert.ok('error' in fault, text);
    assert.match(fault.error, expected);
    assert.ok(fault.serial.length <= 64);
  }
});
