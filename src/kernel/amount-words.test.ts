// Amounts in words: the forms that English has, and every scale up to the largest amount.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountInWords } from './amount-words.ts';

test('writes amounts in words', () => {
  const cases: [number, string][] = [
    [1, 'Zero leones and one cent'],
    [100, 'One leone'],
    [1_900, 'Nineteen leones'],
    [2_150, 'Twenty-one leones and fifty cents'],
    [10_000, 'One hundred leones'],
    [100_500, 'One thousand and five leones'],
    [123_456, 'One thousand two hundred and thirty-four leones and fifty-six cents'],
    [100_000_000, 'One million leones'],
    [100_000_100, 'One million and one leones'],
    [110_010_199, 'One million one hundred thousand one hundred and one leones and ninety-nine cents'],
    [
      Number.MAX_SAFE_INTEGER,
      'Ninety trillion seventy-one billion nine hundred and ninety-two million five hundred and forty-seven thousand ' +
        'four hundred and nine leones and ninety-one cents',
    ],
  ];
  for (const [amount, words] of cases) assert.equal(amountInWords(amount), words);
  for (const wrong of [-1, 0.5, Number.NaN]) assert.throws(() => amountInWords(wrong));
});
