// The screens about merchants, for staff.
import type { Screen } from '../../app/screen.ts';

const STAFF = ['system_admin', 'compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user'];

export const MERCHANTS: readonly Screen[] = [
  {
    path: '/merchants',
    title: 'Merchants',
    permissions: ['processors:read'],
    roles: STAFF,
    navigation: { group: 'Network', icon: 'merchant' },
    load: () => import('./merchants.tsx'),
  },
  {
    path: '/merchants/$id',
    title: 'Merchant',
    permissions: ['processors:read'],
    roles: STAFF,
    load: () => import('./merchant.tsx'),
  },
];
