// The screens about requests that a second user decides on.
import type { Screen } from '../../app/screen.ts';

export const APPROVALS: readonly Screen[] = [
  {
    path: '/approvals',
    title: 'Approvals',
    permissions: ['approvals:read'],
    navigation: { group: 'Work', icon: 'approve' },
    load: () => import('./list.tsx'),
  },
  {
    path: '/approvals/policies',
    title: 'Approval policies',
    permissions: ['approval-policies:read'],
    load: () => import('./policies.tsx'),
  },
  {
    path: '/approvals/$id',
    title: 'Approval',
    permissions: ['approvals:read'],
    load: () => import('./detail.tsx'),
  },
];
