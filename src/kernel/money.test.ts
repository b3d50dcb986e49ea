// Amounts as callers write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAmount } from './money.ts';

test('an amount is a positive whole number below 2^53, as a number or in digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
      assert.equal(parseAmount(amount), amount);
      assert.equal(parseAmount(String(amount)), amount);
    }),
  );
});

test('anything else is none', () => {
  const none = [0, -0, -5, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, 1e300];
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
  for (const given of [...none, ...texts, '9'.repeat(400)]) assert.equal(parseAmount(given), null, String(given));
});
