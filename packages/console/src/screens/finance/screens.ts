// The screens of finance: cover, statements, reconciliation, suspense, closes, commissions, pay-outs and the ledger.

import type { Screen } from '../../app/screen.ts';
import type { IconName } from '../../components/icon.tsx';

const inMoney = (icon: IconName) => ({ group: 'Money', icon }) as const;

export const FINANCE: readonly Screen[] = [
  {
    path: '/finance',
    title: 'Cover',
    permissions: ['closes:read'],
    navigation: inMoney('shield'),
    load: () => import('./cover/cover.tsx'),
  },
  {
    path: '/finance/statements',
    title: 'Bank statements',
    permissions: ['trust-accounts:read'],
    navigation: inMoney('bank'),
    load: () => import('./statements/statements.tsx'),
  },
  {
    path: '/finance/statements/$account/$statement',
    title: 'Bank statement',
    permissions: ['trust-accounts:read'],
    load: () => import('./statements/statement.tsx'),
  },
  {
    path: '/finance/reconciliation',
    title: 'Reconciliation',
    permissions: ['reconciliation:read'],
    navigation: inMoney('scale'),
    load: () => import('./reconciliation/reconciliation.tsx'),
  },
  {
    path: '/finance/suspense',
    title: 'Suspense',
    permissions: ['suspense:read'],
    navigation: inMoney('clock'),
    load: () => import('./suspense/suspense.tsx'),
  },
  {
    path: '/finance/closes',
    title: 'Daily closes',
    permissions: ['closes:read'],
    navigation: inMoney('lock'),
    load: () => import('./closes/closes.tsx'),
  },
  {
    path: '/finance/closes/$date',
    title: 'Daily close',
    permissions: ['closes:read'],
    load: () => import('./closes/close.tsx'),
  },
  {
    path: '/finance/commissions',
    title: 'Commissions',
    permissions: ['fees:read'],
    navigation: inMoney('chart'),
    load: () => import('./commissions/commissions.tsx'),
  },
  {
    path: '/finance/commissions/$id',
    title: 'Commissions of an agent',
    permissions: ['fees:read'],
    load: () => import('./commissions/agent.tsx'),
  },
  {
    path: '/finance/payouts',
    title: 'Pay-outs',
    permissions: ['payouts:return', 'ledger:read'],
    navigation: inMoney('arrowUp'),
    load: () => import('./payouts/payouts.tsx'),
  },
  {
    path: '/finance/payouts/$id',
    title: 'Pay-outs of a merchant',
    permissions: ['payouts:return', 'ledger:read'],
    load: () => import('./payouts/merchant.tsx'),
  },
  {
    path: '/finance/ledger',
    title: 'Ledger',
    permissions: ['ledger:read'],
    navigation: inMoney('document'),
    load: () => import('./ledger/ledger.tsx'),
  },
];
