// Movements' descriptions in statements.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEntry } from './entry-description.ts';

test('describes a movement from the side of the account holder', () => {
  const cases: [string, boolean, string | null, string][] = [
    ['transfer_p2p', true, 'Aminata K.', 'Transfer to Aminata K.'],
    ['transfer_p2p', false, 'Aminata K.', 'Transfer from Aminata K.'],
    ['transfer_p2p', false, null, 'Transfer'],
    ['wallet_withdraw', true, null, 'Cash withdrawal'],
    ['something_new', true, null, 'Something new'],
    ['something_new', true, 'Rokel', 'Something new, Rokel'],
  ];
  for (const [type, paid, name, description] of cases) assert.equal(describeEntry(type, paid, name), description);
});
