// The screens of administration: users, roles, keys, audit log, messages, health, and the checklist for going live.
import type { Screen } from '../../app/screen.ts';

export const ADMINISTRATION: readonly Screen[] = [
  {
    path: '/users',
    title: 'Users',
    permissions: ['users'],
    navigation: { group: 'System', icon: 'user' },
    load: () => import('./users.tsx'),
  },
  { path: '/users/$id', title: 'User', permissions: ['users'], load: () => import('./user.tsx') },
  {
    path: '/roles',
    title: 'Roles',
    permissions: ['roles:read'],
    navigation: { group: 'System', icon: 'lock' },
    load: () => import('./roles.tsx'),
  },
  {
    path: '/keys',
    title: 'API keys',
    permissions: ['api-keys'],
    navigation: { group: 'System', icon: 'key' },
    load: () => import('./keys.tsx'),
  },
  {
    path: '/keys/$id',
    title: 'API key',
    permissions: ['api-keys', 'api-keys:requests'],
    load: () => import('./key.tsx'),
  },
  {
    path: '/audit',
    title: 'Audit log',
    permissions: ['audit:read'],
    navigation: { group: 'System', icon: 'document' },
    load: () => import('./audit.tsx'),
  },
  {
    path: '/messages',
    title: 'Messages',
    permissions: ['messages'],
    navigation: { group: 'System', icon: 'inbox' },
    load: () => import('./messages.tsx'),
  },
  {
    path: '/health',
    title: 'Health',
    permissions: ['users', 'audit:read'],
    navigation: { group: 'System', icon: 'chart' },
    load: () => import('./health.tsx'),
  },
  {
    path: '/going-live',
    title: 'Going live',
    permissions: ['users'],
    navigation: { group: 'System', icon: 'shield' },
    load: () => import('./going-live.tsx'),
  },
];
