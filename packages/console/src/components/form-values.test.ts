// What forms send: trimmed texts, only what is filled, only what changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedOnly, filledOnly, isFilled, trimmed } from './form-values.ts';

test('spaces alone do not fill a field', () => {
  assert.equal(isFilled('Fatmata', ' Kamara '), true);
  assert.equal(isFilled('Fatmata', '  '), false);
});

test('texts lose the spaces around them, other values stay', () => {
  assert.deepEqual(trimmed({ name: ' Kiosk ', enabled: false, level: 2, parent: null }), {
    name: 'Kiosk',
    enabled: false,
    level: 2,
    parent: null,
  });
});

test('empty fields are not sent, but a switch that is off is', () => {
  assert.deepEqual(filledOnly({ email: ' ', phone: '076123456 ', active: false }), {
    phone: '076123456',
    active: false,
  });
});

test('only what differs is sent, and an emptied field counts as a difference', () => {
  const before = { first_name: 'Isata', phone_number: '+23276123456', pep: false };
  assert.deepEqual(changedOnly(before, { ...before, first_name: 'Isata ' }), {});
  assert.deepEqual(changedOnly(before, { ...before, phone_number: '', pep: true }), { phone_number: '', pep: true });
});
