// Tests the names that notices show of people and shops who chose them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName } from './names.ts';

const SHOWN: Record<string, string> = {
  'Aminata K.': 'Aminata K.',
  'Bankole B.': 'Bankole B.',
  'Mamadu‐Saliu B.': 'Mamadu‐Saliu B.',
  'Fɔday S.': 'Fɔday S.',
  'P.Z. Cussons': 'P Z. Cussons',
  'Kissi Town Pharmacy': 'Kissi Town Pharmacy',
  '7 Eleven Lumley': '7 Eleven Lumley',
  'Tecno Camon 2022': 'Tecno Camon 2022',
  // Customers who pose as the operator, in letters that look alike too.
  'KissiSupport S.': 'K. S.',
  'Klssi K.': 'K. K.',
  'KISSÍ A.': 'K. A.',
  'Кissi A.': 'К. A.',
  'Bank K.': 'B. K.',
  'HelpDesk H.': 'H. H.',
  // Telephone numbers and links.
  'Call 076 12-34-56 now': 'Call -- now',
  'Win at kissi.example': 'Win at kissi example',
};

for (const [name, shown] of Object.entries(SHOWN)) {
  test(`${name} is shown as ${shown}`, () => assert.equal(shownName(name), shown));
}
