// What the form of a customer sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeRequest, EMPTY_FORM, isComplete, registerRequest } from './customer-form.ts';

const typed = { ...EMPTY_FORM, phone_number: ' 076123456', first_name: 'Isata', last_name: 'Kamara' };

test('a registration needs phone number and name, and sends only what is filled', () => {
  assert.equal(isComplete({ ...typed, last_name: ' ' }), false);
  assert.equal(isComplete(typed), true);
  assert.deepEqual(registerRequest({ ...typed, max_child_cards: '2' }), {
    phone_number: '076123456',
    first_name: 'Isata',
    last_name: 'Kamara',
    max_child_cards: 2,
  });
});

test('a change sends only what differs, and the number of cards as a number', () => {
  assert.deepEqual(changeRequest(typed, { ...typed, phone_number: ' 076123456' }), { phone_number: '076123456' });
  const before = { ...EMPTY_FORM, address: '1 Siaka Stevens Street', max_child_cards: '4' };
  assert.deepEqual(changeRequest(before, { ...before }), {});
  assert.deepEqual(changeRequest(before, { ...before, address: '', max_child_cards: '0' }), {
    address: '',
    max_child_cards: 0,
  });
});
