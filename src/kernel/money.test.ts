// Money: formatting for people, and amounts in requests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatMoney, parseAmount } from './money.ts';

describe('formatMoney', () => {
  test('writes thousands separators, two decimals and the currency', () => {
    const cases: [number, string][] = [
      [0, '0.00 SLE'],
      [5, '0.05 SLE'],
      [100, '1.00 SLE'],
      [123_456, '1,234.56 SLE'],
      [100_000_000, '1,000,000.00 SLE'],
      [-123_456, '-1,234.56 SLE'],
      [Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91 SLE'],
    ];
    for (const [minor, text] of cases) assert.equal(formatMoney(minor), text);
  });

  test('throws for anything but a safe integer', () => {
    for (const invalid of [0.5, Number.NaN, 2 ** 53]) assert.throws(() => formatMoney(invalid));
  });

  test('keeps all digits of the minor units', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (minor) => Number(formatMoney(minor).replace(/[,.]| SLE/g, '')) === minor),
    );
  });
});

describe('parseAmount', () => {
  test('accepts a positive integer below 2^53, as a number or in digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
        assert.equal(parseAmount(amount), amount);
        assert.equal(parseAmount(String(amount)), amount);
      }),
    );
  });

  test('returns null for anything else', () => {
    const numbers = [0, -0, -5, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, 1e300];
    const texts = [
      '',
      '0',
      '00',
      '-5',
      '+5',
      ' 5',
      '5 ',
      '5\n',
      '5.0',
      '5e2',
      '1e400',
      '-0',
      '0x5',
      '5n',
      '５',
      '1_000',
      '1,000',
    ];
    for (const given of [...numbers, ...texts, '9'.repeat(400)]) assert.equal(parseAmount(given), null, String(given));
  });
});
