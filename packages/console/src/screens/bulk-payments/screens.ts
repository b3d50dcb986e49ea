// Staff's screens for bulk payments: those of all payers, and finance's own of partners and the treasury.
import { type Screen, STAFF, screensIn, withBulkTexts } from '../../app/screen.ts';

const screen = screensIn('Money', STAFF);

export const BULK_PAYMENTS: readonly Screen[] = [
  screen(
    '/bulk-payments',
    'Bulk payments',
    ['bulk-payments:read'],
    withBulkTexts(() => import('./bulk-payments.tsx')),
    'menu',
  ),
  screen(
    '/bulk-payments/$id',
    'Bulk payment',
    ['bulk-payments:read'],
    withBulkTexts(() => import('./bulk-payment.tsx')),
  ),
];
