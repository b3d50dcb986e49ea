// The screens for a merchant's own login. Those used every day are in one file, because a shop may have a slow network.
import { type Screen, screensIn, withBulkTexts } from '../../app/screen.ts';

const ROLES = ['processor'];
type Pages = typeof import('./pages.ts');
const page = (name: keyof Pages) => async () => ({ default: (await import('./pages.ts'))[name] });
type RequestPages = typeof import('./requests/pages.ts');
const requestPage = (name: keyof RequestPages) => async () => ({
  default: (await import('./requests/pages.ts'))[name],
});
const screen = screensIn('Work', ROLES);

export const OWN_MERCHANT: readonly Screen[] = [
  screen('/shop', 'Today', ['processors:read'], page('Home'), 'home'),
  screen('/shop/charge', 'Charge', ['payment-requests:write'], requestPage('Charge'), 'qr'),
  screen('/shop/requests', 'Requests', ['payment-requests:read'], requestPage('Requests'), 'inbox'),
  screen('/shop/requests/$id', 'Request', ['payment-requests:read'], requestPage('Request')),
  screen('/shop/payments', 'Payments', ['processors:history'], page('Payments'), 'card'),
  screen('/shop/payments/$id', 'Payment', ['payments:read'], page('Payment')),
  screen('/shop/payouts', 'Pay-outs', ['processors:payout'], () => import('./payouts.tsx'), 'bank'),
  screen('/shop/transfer', 'Transfer', ['processors:transfer'], () => import('./transfer.tsx'), 'exchange'),
  screen(
    '/shop/bulk-payments',
    'Bulk payments',
    ['bulk-payments:read'],
    withBulkTexts(() => import('./bulk-payments/bulk-payments.tsx')),
    'menu',
  ),
  screen(
    '/shop/bulk-payments/$id',
    'Bulk payment',
    ['bulk-payments:read'],
    withBulkTexts(() => import('./bulk-payments/bulk-payment.tsx')),
  ),
  screen('/shop/statement', 'Statement', ['processors:history'], () => import('./statement.tsx'), 'document'),
  screen('/shop/webhooks', 'Webhooks', ['webhooks:read'], () => import('./webhooks/webhooks.tsx'), 'external'),
  screen('/shop/terminals', 'Terminals', ['processors:history'], () => import('./keys.tsx'), 'key'),
];
