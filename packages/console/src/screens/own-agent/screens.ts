// The screens of an agent's own login. All are in one file, because an agent uses most of them every day over a slow network.
import type { Screen } from '../../app/screen.ts';

const AGENT_ROLES = ['super_agent', 'sub_agent'];
const pages = () => import('./pages.ts');

export const OWN_AGENT: readonly Screen[] = [
  {
    path: '/agent',
    title: 'Your float',
    permissions: ['agents:read'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'home' },
    load: async () => ({ default: (await pages()).Home }),
  },
  {
    path: '/agent/cash-in',
    title: 'Cash in',
    permissions: ['agents:cashin'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'arrowDown' },
    load: async () => ({ default: (await pages()).CashIn }),
  },
  {
    path: '/agent/cash-out',
    title: 'Cash out',
    permissions: ['payments:withdraw'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'arrowUp' },
    load: async () => ({ default: (await pages()).CashOut }),
  },
  {
    path: '/agent/transfer',
    title: 'Sub-agents',
    permissions: ['agents:transfer'],
    roles: ['super_agent'],
    navigation: { group: 'Work', icon: 'network' },
    load: async () => ({ default: (await pages()).Transfer }),
  },
  {
    path: '/agent/register',
    title: 'New customer',
    permissions: ['subscribers:write'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'user' },
    load: () => import('./register.tsx'),
  },
  {
    path: '/agent/history',
    title: 'History',
    permissions: ['agents:history'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'clock' },
    load: async () => ({ default: (await pages()).History }),
  },
  {
    path: '/agent/commissions',
    title: 'Commission',
    permissions: ['agents:read'],
    roles: AGENT_ROLES,
    load: async () => ({ default: (await pages()).Commissions }),
  },
  {
    path: '/agent/receipt/$id',
    title: 'Receipt',
    permissions: ['payments:read'],
    roles: AGENT_ROLES,
    load: async () => ({ default: (await pages()).ReceiptScreen }),
  },
  {
    path: '/agent/pin',
    title: 'Change PIN',
    permissions: ['agents:pin'],
    roles: AGENT_ROLES,
    navigation: { group: 'Work', icon: 'lock' },
    load: async () => ({ default: (await pages()).ChangePin }),
  },
];
