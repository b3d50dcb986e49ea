// The screens about alerts, monitoring rules and fees.
import type { Screen } from '../../app/screen.ts';

export const COMPLIANCE: readonly Screen[] = [
  {
    path: '/alerts',
    title: 'Alerts',
    permissions: ['compliance:read'],
    navigation: { group: 'Risk', icon: 'alert' },
    load: () => import('./alerts.tsx'),
  },
  {
    path: '/alerts/$id',
    title: 'Alert',
    permissions: ['compliance:read'],
    load: () => import('./alert.tsx'),
  },
  {
    path: '/rules',
    title: 'Monitoring rules',
    permissions: ['compliance:read'],
    navigation: { group: 'Risk', icon: 'shield' },
    load: () => import('./rules.tsx'),
  },
  {
    path: '/rules/new',
    title: 'New rule',
    permissions: ['compliance:write'],
    load: () => import('./new-rule.tsx'),
  },
  {
    path: '/rules/$id',
    title: 'Monitoring rule',
    permissions: ['compliance:read'],
    load: () => import('./rule.tsx'),
  },
  {
    path: '/fees',
    title: 'Fees',
    permissions: ['fees:read'],
    navigation: { group: 'Money', icon: 'settings' },
    load: () => import('./fees.tsx'),
  },
  {
    path: '/fees/$type/$party',
    title: 'Fee',
    permissions: ['fees:read'],
    load: () => import('./fee.tsx'),
  },
];
