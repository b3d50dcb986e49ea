// Tests which PINs count as very common.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPin } from './common-pins.ts';

test('repeated digits, runs, keypad lines and years are common; other PINs are not', () => {
  for (const pin of ['0000', '1111', '9999', '1234', '0123', '7890', '4321', '3210', '2580', '1212', '1950', '2029']) {
    assert.equal(isCommonPin(pin), true, pin);
  }
  for (const pin of ['1949', '2030', '4827', '9031', '1243', '0012', '8520'])
    assert.equal(isCommonPin(pin), false, pin);
});

test('fewer than 2 in 100 of all PINs are common', () => {
  const pins = Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0'));
  const common = pins.filter(isCommonPin).length;
  assert.ok(common > 100 && common < 200, String(common));
});
