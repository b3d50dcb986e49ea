// The screens about payments.
import { type Screen, STAFF, screensIn } from '../../app/screen.ts';

const screen = screensIn('Money');

export const TRANSACTIONS: readonly Screen[] = [
  screensIn('Money', STAFF)('/transactions', 'Transactions', ['payments:read'], () => import('./list.tsx'), 'exchange'),
  screen('/transactions/$id', 'Transaction', ['payments:read'], () => import('./detail.tsx')),
];
