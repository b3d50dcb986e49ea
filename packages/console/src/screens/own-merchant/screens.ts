// The screens of a merchant's own login. Those of every day are in one file, because a shop may have a slow network.
import type { Screen } from '../../app/screen.ts';

const ROLES = ['processor'];
const pages = () => import('./pages.ts');

export const OWN_MERCHANT: readonly Screen[] = [
  {
    path: '/shop',
    title: 'Today',
    permissions: ['processors:read'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'home' },
    load: async () => ({ default: (await pages()).Home }),
  },
  {
    path: '/shop/payments',
    title: 'Payments',
    permissions: ['processors:history'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'card' },
    load: async () => ({ default: (await pages()).Payments }),
  },
  {
    path: '/shop/payments/$id',
    title: 'Payment',
    permissions: ['payments:read'],
    roles: ROLES,
    load: async () => ({ default: (await pages()).Payment }),
  },
  {
    path: '/shop/payouts',
    title: 'Pay-outs',
    permissions: ['processors:payout'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'bank' },
    load: () => import('./payouts.tsx'),
  },
  {
    path: '/shop/transfer',
    title: 'Transfer',
    permissions: ['processors:transfer'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'exchange' },
    load: async () => ({ default: (await pages()).Transfer }),
  },
  {
    path: '/shop/statement',
    title: 'Statement',
    permissions: ['processors:history'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'document' },
    load: async () => ({ default: (await pages()).Statement }),
  },
  {
    path: '/shop/terminals',
    title: 'Terminals',
    permissions: ['processors:history'],
    roles: ROLES,
    navigation: { group: 'Work', icon: 'key' },
    load: () => import('./keys.tsx'),
  },
];
