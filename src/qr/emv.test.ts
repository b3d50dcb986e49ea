// EMVCo texts: checksums of published examples, lengths in characters, and texts that are not accepted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksum, emvText, readEmv, readObjects } from './emv.ts';

/** The example of the EMVCo specification, with names in two scripts. */
const SPECIFIED =
  '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING' +
  '64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A011223344998877070812345678' +
  '6304A13A';
const LEONES =
  '00020101021126280010sl.kissi.m0110M00000012352045411530392554045.505802SL5909Ade Store6008Freetown6304960A';

test('the checksum is CRC-16/CCITT-FALSE over the UTF-8 bytes', () => {
  assert.equal(checksum('123456789'), '29B1');
  assert.equal(checksum(''), 'FFFF');
  for (const text of [SPECIFIED, LEONES]) assert.equal(checksum(text.slice(0, -4)), text.slice(-4));
});

test('writes the published example in leones, character by character', () => {
  const merchant = [
    ['00', 'sl.kissi.m'],
    ['01', 'M000000123'],
  ] as const;
  const text = emvText([
    ...([
      ['01', '11'],
      ['26', merchant],
      ['52', '5411'],
      ['53', '925'],
      ['54', '5.50'],
      ['55', null],
    ] as const),
    ...([
      ['58', 'SL'],
      ['59', 'Ade Store'],
      ['60', 'Freetown'],
    ] as const),
  ]);
  assert.equal(text, LEONES);
});

test('reads the example of the specification, whose lengths count characters', () => {
  const objects = readEmv(SPECIFIED);
  assert.equal(objects?.get('59'), 'BEST TRANSPORT');
  assert.deepEqual(Object.fromEntries(readObjects(objects?.get('64') ?? '') ?? []), {
    '00': 'ZH',
    '01': '最佳运输',
    '02': '北京',
  });
  assert.equal(objects?.get('54'), '23.72');
});

test('a text with any other character in any place is not accepted', () => {
  assert.ok(readEmv(LEONES));
  for (let at = 0; at < LEONES.length; at++) {
    const other = LEONES[at] === '0' ? '1' : '0';
    assert.equal(readEmv(LEONES.slice(0, at) + other + LEONES.slice(at + 1)), null, String(at));
  }
  for (let length = 0; length < LEONES.length; length++) assert.equal(readEmv(LEONES.slice(0, length)), null);
});

test('a text with a valid checksum but malformed objects is not accepted', () => {
  const signed = (text: string) => `${text}6304${checksum(`${text}6304`)}`;
  assert.ok(readEmv(signed('000201')));
  const texts = [
    '',
    '000202',
    '0102110002',
    '00020101',
    '0002010102115902',
    '0002015802SL5802SL',
    '0002015a02SL',
    'https://x',
  ];
  for (const text of texts) assert.equal(readEmv(signed(text)), null, text);
  assert.equal(readEmv(signed(`000201${'9'.repeat(600)}`)), null);
});

test('a value that no length can describe is a defect', () => {
  assert.throws(() => emvText([['59', '']]), RangeError);
  assert.throws(() => emvText([['59', 'x'.repeat(100)]]), RangeError);
  assert.throws(() => emvText(['80', '81', '82', '83', '84', '85'].map((id) => [id, 'x'.repeat(99)])), RangeError);
});
