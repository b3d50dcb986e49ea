// Staff's screens for bulk payments: those of all payers, and finance's own of partners and the treasury.
import { loadTexts } from '../../app/language.ts';
import { type Screen, STAFF, screensIn } from '../../app/screen.ts';

const screen = screensIn('Money', STAFF);
const withTexts = (load: Screen['load']) => async () => (await Promise.all([load(), loadTexts('bulk')]))[0];

export const BULK_PAYMENTS: readonly Screen[] = [
  screen(
    '/bulk-payments',
    'Bulk payments',
    ['bulk-payments:read'],
    withTexts(() => import('./bulk-payments.tsx')),
    'menu',
  ),
  screen(
    '/bulk-payments/$id',
    'Bulk payment',
    ['bulk-payments:read'],
    withTexts(() => import('./bulk-payment.tsx')),
  ),
];
