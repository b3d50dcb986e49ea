// Tests how records are written as CSV: quoting, formulas, empty cells, nested values and exact numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHeader, csvLines } from './csv-text.ts';
import { parseExactly } from './parse-exactly.ts';

const cell = (value: unknown) => csvLines([{ value, end: 0 }], ['value', 'end']).replace(/,0\r\n$/, '');

test('lines end with CRLF, and text with a separator, quote or line end is quoted', () => {
  assert.equal(csvHeader(['id', 'name']), 'id,name\r\n');
  assert.equal(cell('a,b'), '"a,b"');
  assert.equal(cell('say "x"'), '"say ""x"""');
  for (const end of ['\r\n', '\n', '\r']) assert.equal(cell(`a${end}b`), `"a${end}b"`);
  assert.equal(cell('ɛ – é'), 'ɛ – é');
  assert.equal(csvLines([], ['id']), '');
});

test('null, absent and empty values are empty cells', () => {
  assert.equal(csvLines([{ a: null, b: undefined, c: '' }], ['a', 'b', 'c', 'd']), ',,,\r\n');
});

test('text that begins like a formula gets a leading apostrophe', () => {
  for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
    assert.equal(cell(`${start}cmd|' /C calc'!A0`), `'${start}cmd|' /C calc'!A0`);
  }
  for (const start of ['\t', ' \t'.slice(1)]) assert.equal(cell(`${start}=1`), `'${start}=1`);
  for (const start of ['\r', '\n']) assert.equal(cell(`${start}=1`), `"'${start}'=1"`);
  for (const start of [' ', '\u00a0 ', ' \t']) assert.equal(cell(`${start}=1`), `'${start}=1`);
  for (const start of ['\t', '\r', '\n']) assert.match(cell(`${start}1`), /^"?'/);
  assert.equal(cell('=1,"2"'), `"'=1,""2"""`);
  assert.equal(cell('a=1'), 'a=1');
});

test('a formula after a semicolon is neutralised too, since some spreadsheets split there', () => {
  assert.equal(cell('x;=1+1'), "x;'=1+1");
  assert.equal(cell('x; @sum'), "x;' @sum");
  assert.equal(cell('a; b=1'), 'a; b=1');
  const json = cell({ a: ';=1' });
  assert.doesNotMatch(json, /;/);
  assert.deepEqual(JSON.parse(json.slice(1, -1).replaceAll('""', '"')), { a: ';=1' });
});

test('a formula after a line end is neutralised too: a quote in the middle of a cell holds no lines together', () => {
  for (const end of ['\n', '\r', '\r\n']) assert.equal(cell(`x${end}=1`), `"x${end}'=1"`);
  assert.equal(cell('x\n @sum'), `"x\n' @sum"`);
  assert.equal(cell('x\n\n+1'), `"x\n'\n'+1"`);
  assert.equal(cell('Paid:\na=1'), '"Paid:\na=1"');
  assert.equal(cell({ a: 'x\n=1' }), '"{""a"":""x\\n=1""}"');
});

test('phone numbers and negative amounts have no apostrophe, because they can be no formula', () => {
  for (const text of ['+23276000001', '-1250.50', '-7']) assert.equal(cell(text), text);
  for (const text of ['+1', '+232 76', '-1-1', '-1.', '+23276000001+1', '-1,5', '+2327600000\n=1']) {
    assert.match(cell(text), /^"?'/, text);
  }
});

test('numbers stay numbers, also negative ones, and booleans are words', () => {
  for (const value of [0, -12500, 12500, 1.5]) assert.equal(cell(value), String(value));
  assert.equal(cell(true), 'true');
  assert.equal(cell(false), 'false');
});

test('lists and objects are JSON text', () => {
  assert.equal(cell({ a: [1, '=x'] }), '"{""a"":[1,""=x""]}"');
  assert.equal(cell([]), '[]');
});

test('numbers that JavaScript cannot hold are written as they were sent', () => {
  for (const number of ['12345678901234567890', '0.1000000000000000055', '1e400', '-1E-7', '9007199254740993']) {
    const { metadata } = parseExactly(`{"metadata":{"n":${number},"s":"1e400"}}`) as Record<string, unknown>;
    assert.equal(cell(metadata), `"{""n"":${number},""s"":""1e400""}"`);
  }
});
