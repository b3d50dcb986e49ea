// Phone numbers, account numbers and identifiers.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { luhnCheckDigit, newAccountNumber } from './account-number.ts';
import { newId } from './ids.ts';
import { phoneReader, phoneStartReader } from './phone.ts';

describe('phone numbers', () => {
  const read = phoneReader('SL');

  test('all local and international forms of a number are the same E.164 number', () => {
    for (const text of ['076123456', '76123456', '+23276123456', '+232 76 123 456', '076-123-456', '(076) 123456']) {
      assert.equal(read(text), '+23276123456', text);
    }
  });

  test('numbers of other countries are accepted in international form', () => {
    assert.equal(read('+447911123456'), '+447911123456');
  });

  test('other texts are rejected', () => {
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

  test('the first digits are read in local and international form', () => {
    const readStart = phoneStartReader('SL');
    for (const text of ['07612', '7612', '+2327612', '+232 76 12', '076-12', '0023276 12']) {
      assert.equal(readStart(text), '+2327612', text);
    }
    assert.equal(readStart('+4479'), '+4479');
    for (const text of ['', 'Kamara', '07x', '+']) assert.equal(readStart(text), null, text);
  });

  test('reading never throws and is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = read(text);
        return once === null || read(once) === once;
      }),
    );
  });
});

describe('account numbers', () => {
  const isValid = (number: string) => luhnCheckDigit(number.slice(0, -1)) === Number(number.at(-1));

  test('the check digit follows the Luhn algorithm', () => {
    assert.equal(luhnCheckDigit('7992739871'), 3);
    assert.equal(luhnCheckDigit('123456789'), 7);
  });

  test('a new one has ten digits and a valid check digit, which detects any single wrong digit', () => {
    for (let i = 0; i < 200; i++) {
      const number = newAccountNumber();
      assert.match(number, /^\d{10}$/);
      assert.ok(isValid(number), number);
      const at = i % 10;
      const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
      assert.equal(isValid(wrong), false, wrong);
    }
  });
});

describe('identifiers', () => {
  test('have their prefix, sort by time and are unique', () => {
    let now = 0;
    const clock = { now: () => now };
    const at = (time: number) => {
      now = time;
      return newId('sub', clock);
    };
    assert.match(at(0), /^sub_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.ok(at(1_000) < at(1_001));
    assert.ok(at(Date.now()) < at(Date.now() + 10 ** 12));
    const sameMillisecond = Array.from({ length: 10_000 }, () => at(1));
    assert.equal(new Set(sameMillisecond).size, 10_000);
    assert.deepEqual(sameMillisecond.toSorted(), sameMillisecond);
  });
});
