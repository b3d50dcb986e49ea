// "Copy as curl" puts no secret into the clipboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecrets } from './curl.ts';

test('PINs, passwords and codes are replaced by their names, whatever their values contain', () => {
  const body = {
    pin: '12"34',
    current_pin: 1234,
    new_pin: "5'6\\",
    password: 'a\nb',
    secret: ['x'],
    code: { value: '1' },
  };
  assert.deepEqual(JSON.parse(withoutSecrets(JSON.stringify(body))), {
    pin: '<PIN>',
    current_pin: '<CURRENT_PIN>',
    new_pin: '<NEW_PIN>',
    password: '<PASSWORD>',
    secret: '<SECRET>',
    code: '<CODE>',
  });
});

test('they are replaced inside of lists and objects too', () => {
  const masked = withoutSecrets(JSON.stringify({ cards: [{ pin: '1234', serial: 'A' }] }));
  assert.equal(masked, '{"cards":[{"pin":"<PIN>","serial":"A"}]}');
});

test('other fields stay as they are, also texts that look like a PIN field', () => {
  const body = { amount: 7550, note: '"pin":"1234"', pin: null, spin: '1', bank_code: 'SLCB', pin_locked_until: null };
  assert.equal(withoutSecrets(JSON.stringify(body)), JSON.stringify(body));
});
