// The screens about payments.
import type { Screen } from '../../app/screen.ts';

/** Agents and merchants see their own payments on their own screens. */
const STAFF = ['system_admin', 'finance_user', 'compliance_user', 'support_user', 'audit_user', 'sales_user'];

export const TRANSACTIONS: readonly Screen[] = [
  {
    path: '/transactions',
    title: 'Transactions',
    permissions: ['payments:read'],
    roles: STAFF,
    navigation: { group: 'Money', icon: 'exchange' },
    load: () => import('./list.tsx'),
  },
  {
    path: '/transactions/$id',
    title: 'Transaction',
    permissions: ['payments:read'],
    load: () => import('./detail.tsx'),
  },
];
