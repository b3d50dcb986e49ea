// The screens about agents and their floats, for staff.
import type { Screen } from '../../app/screen.ts';

const STAFF = ['system_admin', 'compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user'];

export const AGENTS: readonly Screen[] = [
  {
    path: '/agents',
    title: 'Agents',
    permissions: ['agents:read'],
    roles: STAFF,
    navigation: { group: 'Network', icon: 'network' },
    load: () => import('./agents.tsx'),
  },
  {
    path: '/agents/$id',
    title: 'Agent',
    permissions: ['agents:read'],
    roles: STAFF,
    load: () => import('./agent.tsx'),
  },
];
