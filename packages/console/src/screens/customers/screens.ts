// The screens about customers and their wallets.
import type { Screen } from '../../app/screens.ts';

export const CUSTOMERS: readonly Screen[] = [
  {
    path: '/customers',
    title: 'Customers',
    permissions: ['subscribers:read'],
    navigation: { group: 'Customers', icon: 'customers' },
    load: () => import('./list.tsx'),
  },
];
