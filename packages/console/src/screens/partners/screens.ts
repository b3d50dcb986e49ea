// The screens about partners, the credits that they send and the events that they get.
import type { Screen } from '../../app/screen.ts';

export const PARTNERS: readonly Screen[] = [
  {
    path: '/partners',
    title: 'Partners',
    permissions: ['partners:read'],
    navigation: { group: 'Network', icon: 'partner' },
    load: () => import('./partners.tsx'),
  },
  {
    path: '/partners/$id',
    title: 'Partner',
    permissions: ['partners:read'],
    load: () => import('./partner.tsx'),
  },
  {
    path: '/credits',
    title: 'Inbound credits',
    permissions: ['inbound:review'],
    navigation: { group: 'Network', icon: 'download' },
    load: () => import('./credits.tsx'),
  },
  {
    path: '/credits/$id',
    title: 'Inbound credit',
    permissions: ['inbound:review'],
    load: () => import('./credit.tsx'),
  },
  {
    path: '/deliveries',
    title: 'Deliveries',
    permissions: ['partners'],
    navigation: { group: 'Network', icon: 'external' },
    load: () => import('./deliveries.tsx'),
  },
  {
    path: '/deliveries/$id',
    title: 'Webhook delivery',
    permissions: ['partners'],
    load: () => import('./delivery.tsx'),
  },
];
