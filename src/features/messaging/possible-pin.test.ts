// Tests which messages may be PINs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFourDigits, withoutPins } from './possible-pin.ts';

const PINS = [
  ...['1234', ' 1234 ', '1 2 3 4', '12\n34', '1234\u200b', '\u202e1\u20602\ufeff34', '1\ufe0f\u20e32\ufe0f\u20e334'],
  ...['１２３４', '١٢٣٤', '1\u00ad2\u034f34', '\u2066\uff11234\u2069'],
  ...['*1234*', '_1234_', '~1234~', '```1234```', '1234.', '#1234', '1-2-3-4', '12.34', '-1234', '1234?', '1,234'],
  // Letters without a shape, and digits in circles, brackets and other scripts.
  ...['1\u31642\u115f3\uffa04', '1\u2800234', '❶❷❸❹', '➀➁➂➃', '⑴⑵⑶⑷', '⒈⒉⒊⒋', '፩፪፫፬'],
];
const OTHERS = ['', '123', '12345', 'pin 1234', '12a4', '1234 5', 'abcd'];

for (const text of PINS) test(`${JSON.stringify(text)} may be a PIN`, () => assert.ok(isFourDigits(text)));
for (const text of OTHERS) test(`${JSON.stringify(text)} is none`, () => assert.ok(!isFourDigits(text)));

test('what is kept of a text about a PIN has no four digits', () => {
  assert.equal(withoutPins('my PIN 4821, or ４８２１'), 'my PIN ****, or ****');
  assert.equal(withoutPins('pin 4-8-2-1'), 'pin ****');
  assert.equal(withoutPins('I paid 2500 to +23276000001'), 'I paid 2500 to +23276000001');
});
