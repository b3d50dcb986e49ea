// Tests how flags become the path, query and body of a request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operation } from './command-table.ts';
import { UsageError } from './errors.ts';
import { shortFlagOf } from './flag-names.ts';
import { fieldValue, jsonValue, missingFields, requestParts } from './flags.ts';
import { examplesOf } from './help.ts';

test('amounts need two decimals, and become minor units', () => {
  const amount = { name: 'amount', type: 'money' } as const;
  assert.deepEqual(
    ['125.00', '1,250.50', '0.01'].map((text) => fieldValue(amount, text)),
    [12_500, 125_050, 1],
  );
  for (const text of ['125', '125.5', '1.250,50', '-', '1.000'])
    assert.throws(() => fieldValue(amount, text), UsageError, text);
});

test('lists, numbers and booleans are read as the API expects them', () => {
  assert.deepEqual(fieldValue({ name: 'scopes', type: 'list' }, ['a,b', 'c']), ['a', 'b', 'c']);
  assert.equal(fieldValue({ name: 'n', type: 'integer' }, '12'), 12);
  assert.throws(() => fieldValue({ name: 'n', type: 'integer' }, '1.5'), /--n 1\.5: must be a whole number/);
  assert.deepEqual(
    [fieldValue({ name: 'b', type: 'boolean' }, true), fieldValue({ name: 'b', type: 'boolean' }, 'false')],
    [true, false],
  );
  assert.throws(() => jsonValue('--data', '{'), /--data: the value is not JSON/);
});

test('flags replace the fields of --data, and flags with a dot reach into objects', () => {
  const credit = operation('creditWallet');
  const values = new Map([
    ['amount', '7.00'],
    ['payer.name', 'Ada'],
  ]);
  const data = { amount: 1, msisdn: '+23276000001', payer: { name: 'Eve', bank_code: 'RCB' } };
  const { body } = requestParts(credit, [], values, data);
  assert.deepEqual(body, { amount: 700, msisdn: '+23276000001', payer: { name: 'Ada', bank_code: 'RCB' } });
  assert.throws(() => requestParts(credit, [], values, []), /--data must be a JSON object/);
});

test("a payment's key is made when absent, so that only other required fields are missing", () => {
  const credit = operation('creditWallet');
  const missing = missingFields(credit, requestParts(credit, [], new Map(), {}));
  assert.deepEqual(
    missing.map(({ name }) => name),
    ['amount'],
  );
});

test('a card payment takes the PIN, which the client encrypts, or in --data one that was encrypted elsewhere', () => {
  const pay = operation('payAtTerminal');
  const pins = pay.body.filter(({ name }) => name.endsWith('pin'));
  assert.deepEqual(
    pins.map(({ name, required, help }) => [name, required, help]),
    [['pin', true, 'Encrypted for this card before it is sent.']],
  );
  assert.match(examplesOf(pay), / --pin - /);
  const missing = (data: object) =>
    missingFields(pay, requestParts(pay, [], new Map(), data)).some(({ name }) => name === 'pin');
  assert.deepEqual([missing({}), missing({ encrypted_pin: 'eyJ' })], [true, false]);
});

test('ids have a short flag unless another field has its name', () => {
  const [sender, request, partner] = ['sender_id', 'request_id', 'partner_id'].map(
    (name) => ({ name, type: 'text' }) as const,
  );
  const all = [sender, request, partner, { name: 'partner', type: 'text' } as const].filter(
    (field) => field !== undefined,
  );
  assert.deepEqual(
    all.map((field) => shortFlagOf(field, all)),
    ['--sender', null, null, null],
  );
});
