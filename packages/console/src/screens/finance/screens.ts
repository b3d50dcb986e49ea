// The screens of finance: cover, statements, reconciliation, suspense, closes, commissions, pay-outs and the ledger.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Money');

export const FINANCE: readonly Screen[] = [
  screen('/finance', 'Cover', ['closes:read'], () => import('./cover/cover.tsx'), 'shield'),
  screen(
    '/finance/statements',
    'Bank statements',
    ['trust-accounts:read'],
    () => import('./statements/statements.tsx'),
    'bank',
  ),
  screen(
    '/finance/statements/$account/$statement',
    'Bank statement',
    ['trust-accounts:read'],
    () => import('./statements/statement.tsx'),
  ),
  screen(
    '/finance/reconciliation',
    'Reconciliation',
    ['reconciliation:read'],
    () => import('./reconciliation/reconciliation.tsx'),
    'scale',
  ),
  screen('/finance/suspense', 'Suspense', ['suspense:read'], () => import('./suspense/suspense.tsx'), 'clock'),
  screen('/finance/closes', 'Daily closes', ['closes:read'], () => import('./closes/closes.tsx'), 'lock'),
  screen('/finance/closes/$date', 'Daily close', ['closes:read'], () => import('./closes/close.tsx')),
  screen('/finance/commissions', 'Commissions', ['fees:read'], () => import('./commissions/commissions.tsx'), 'chart'),
  screen('/finance/commissions/$id', 'Commissions of an agent', ['fees:read'], () => import('./commissions/agent.tsx')),
  screen(
    '/finance/payouts',
    'Pay-outs',
    ['payouts:return', 'ledger:read'],
    () => import('./payouts/payouts.tsx'),
    'arrowUp',
  ),
  screen(
    '/finance/payouts/$id',
    'Pay-outs of a merchant',
    ['payouts:return', 'ledger:read'],
    () => import('./payouts/merchant.tsx'),
  ),
  screen('/finance/ledger', 'Ledger', ['ledger:read'], () => import('./ledger/ledger.tsx'), 'document'),
];
