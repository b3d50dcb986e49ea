// The small pure pieces: money, phones, account numbers, identifiers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { newId } from './ids.ts';
import { luhnCheckDigit, newAccountNumber } from './luhn.ts';
import { formatMoney } from './money.ts';
import { phoneReader } from './phone.ts';

describe('money', () => {
  test('is written with thousands separators, two decimals and the currency', () => {
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

  test('what is no whole number of minor units is a defect', () => {
    for (const bad of [0.5, Number.NaN, 2 ** 53]) assert.throws(() => formatMoney(bad));
  });

  test('reads back as the same number of minor units', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (minor) => Number(formatMoney(minor).replace(/[,.]| SLE/g, '')) === minor),
    );
  });
});

describe('phones', () => {
  const read = phoneReader('SL');

  test('every way of writing one number is one number', () => {
    for (const text of ['076123456', '76123456', '+23276123456', '+232 76 123 456', '076-123-456', '(076) 123456']) {
      assert.equal(read(text), '+23276123456', text);
    }
  });

  test('numbers of other countries are read in international form', () => {
    assert.equal(read('+447911123456'), '+447911123456');
  });

  test('what is no telephone number is none', () => {
    for (const text of [
      '',
      '0',
      '1234',
      'call me',
      '076-CALL-ME',
      '+',
      '+232',
      '076123456x12',
      '٠٧٦١٢٣٤٥٦',
      '0'.repeat(30),
    ]) {
      assert.equal(read(text), null, text);
    }
  });

  test('reading never throws and is stable', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = read(text);
        return once === null || read(once) === once;
      }),
    );
  });
});

describe('account numbers', () => {
  const isRight = (number: string) => luhnCheckDigit(number.slice(0, -1)) === Number(number.at(-1));

  test('the check digit is the one of Luhn', () => {
    assert.equal(luhnCheckDigit('7992739871'), 3);
    assert.equal(luhnCheckDigit('123456789'), 7);
  });

  test('a new one is ten digits and right; any single wrong digit is noticed', () => {
    for (let i = 0; i < 200; i++) {
      const number = newAccountNumber();
      assert.match(number, /^\d{10}$/);
      assert.ok(isRight(number), number);
      const at = i % 10;
      const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
      assert.equal(isRight(wrong), false, wrong);
    }
  });
});

describe('identifiers', () => {
  test('carry their prefix, sort by time and do not repeat', () => {
    let now = 0;
    const clock = { now: () => now };
    const at = (time: number) => {
      now = time;
      return newId('sub', clock);
    };
    assert.match(at(0), /^sub_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.ok(at(1_000) < at(1_001));
    assert.ok(at(Date.now()) < at(Date.now() + 10 ** 12));
    const ofOneMillisecond = Array.from({ length: 10_000 }, () => at(1));
    assert.equal(new Set(ofOneMillisecond).size, 10_000);
    assert.deepEqual(ofOneMillisecond.toSorted(), ofOneMillisecond);
  });
});
