// Amounts are read and written exactly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMoney, parseMoney, readMoney } from './money.ts';

test('amounts are read with and without separators, decimals and currency', () => {
  const amounts: Record<string, number> = {
    '1,250.50': 125_050,
    '1250.5': 125_050,
    '0.01': 1,
    '0.29': 29,
    '1,234,567.89 SLE': 123_456_789,
    ' 7 ': 700,
    '-12.30': -1_230,
    '90,071,992,547,409.91': Number.MAX_SAFE_INTEGER,
  };
  for (const [text, minorUnits] of Object.entries(amounts)) assert.equal(parseMoney(text), minorUnits, text);
  assert.equal(parseMoney('5 USD', { currency: 'USD' }), 500);
});

test('text that is not exactly an amount is rejected', () => {
  const wrong = [
    '',
    '1.250,50',
    '12,50',
    '1,2345',
    '1.005',
    '1e3',
    '0x10',
    '.5',
    '5.',
    '--1',
    '+1',
    'NaN',
    '٣',
    '5 USD',
  ];
  for (const text of [...wrong, '1 2', '90071992547409.92']) assert.throws(() => parseMoney(text), RangeError, text);
});

test('amounts are written with separators and two decimals', () => {
  assert.equal(formatMoney(0), '0.00');
  assert.equal(formatMoney(5), '0.05');
  assert.equal(formatMoney(-125_050), '-1,250.50');
  assert.equal(formatMoney(100_000_000, { currency: 'SLE' }), '1,000,000.00 SLE');
  assert.equal(formatMoney(2n ** 64n), '184,467,440,737,095,516.16');
  for (const wrong of [0.5, Number.NaN, 2 ** 53]) assert.throws(() => formatMoney(wrong), RangeError);
});

test('every amount reads back as it was written', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (amount) => parseMoney(formatMoney(amount)) === (amount || 0)));
});

test('what a person types is read with any usual separator, currency and marks that nobody sees', () => {
  const typed: Record<string, number> = {
    '1250': 125_000,
    '1250.5': 125_050,
    'NLe 1,250': 125_000,
    'le1,250.50': 125_050,
    '1 250.50': 125_050,
    '1\u00a0250\u202f000.5 SLE': 125_000_050,
    '\u200e1,250.00\u200f': 125_000,
    '\u2068SLE 7\u2069': 700,
  };
  for (const [text, minorUnits] of Object.entries(typed)) assert.equal(readMoney(text), minorUnits, text);
});

test('what could be two amounts, or none, is not read', () => {
  const wrong = [
    '',
    '0',
    '0.00',
    '-5',
    '12,50',
    '1,25',
    '1.250,50',
    '1 25',
    '1,250 000',
    '1.005',
    '1e3',
    '.5',
    '5.',
    'USD 5',
  ];
  for (const text of [...wrong, '90071992547409.92', '٣']) assert.equal(readMoney(text), null, text);
});
