// The screens about merchants, for staff.
import { type Screen, STAFF, screensIn } from '../../app/screen.ts';

const screen = screensIn('Network', STAFF);

export const MERCHANTS: readonly Screen[] = [
  screen('/merchants', 'Merchants', ['processors:read'], () => import('./merchants.tsx'), 'merchant'),
  screen('/merchants/$id', 'Merchant', ['processors:read'], () => import('./merchant.tsx')),
  screen('/requests/$id', 'Payment request', ['payment-requests:read'], () => import('./request.tsx')),
];
