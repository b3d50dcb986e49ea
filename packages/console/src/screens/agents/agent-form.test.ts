// What an agent's form accepts, and what it sends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeRequest, EMPTY_FORM, isComplete, isPercent, registerRequest } from './agent-form.ts';

const typed = {
  ...EMPTY_FORM,
  business_name: ' Kissy Kiosk ',
  first_name: 'Isata',
  last_name: 'Kamara',
  phone_number: '076123456',
};

test('a form is complete with business, person and phone number, and a share that is a percentage', () => {
  assert.equal(isComplete(EMPTY_FORM), false);
  assert.equal(isComplete(typed), true);
  assert.equal(isComplete({ ...typed, commission_percent: '501' }), false);
  assert.equal(isPercent('12.5'), true);
  assert.equal(isPercent('1e2'), false);
});

test('a registration sends no empty location, a change empties it', () => {
  assert.equal('location' in registerRequest(typed), false);
  assert.equal(changeRequest({ ...typed, location: ' ' }).location, '');
  assert.equal(changeRequest(typed).business_name, 'Kissy Kiosk');
});

test('the commission share is sent only with the tier custom', () => {
  const share = { ...typed, commission_percent: '150' };
  assert.equal(changeRequest(share).commission_percent, undefined);
  assert.equal(changeRequest({ ...share, commission_tier: 'custom' }).commission_percent, 150);
});
