// The screens about customers and their wallets.
import type { Screen } from '../../app/screen.ts';

export const CUSTOMERS: readonly Screen[] = [
  {
    path: '/customers',
    title: 'Customers',
    permissions: ['subscribers:read'],
    navigation: { group: 'Customers', icon: 'customers' },
    load: () => import('./list.tsx'),
  },
  {
    path: '/customers/new',
    title: 'Register a customer',
    permissions: ['subscribers:write'],
    load: () => import('./new.tsx'),
  },
  {
    path: '/customers/$id',
    title: 'Customer',
    permissions: ['subscribers:read'],
    load: () => import('./customer.tsx'),
  },
];
