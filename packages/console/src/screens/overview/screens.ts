// The overview of what needs attention and how business goes.
import type { Screen } from '../../app/screen.ts';

export const OVERVIEW: readonly Screen[] = [
  {
    path: '/overview',
    title: 'Overview',
    permissions: ['reports:read'],
    navigation: { group: 'Work', icon: 'home' },
    load: () => import('./overview.tsx'),
  },
];
