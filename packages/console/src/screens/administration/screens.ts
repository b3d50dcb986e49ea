// The screens of administration: users, roles, keys, audit log, messages, health, the checks of production, and the checklist for going live.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('System');

export const ADMINISTRATION: readonly Screen[] = [
  screen('/users', 'Users', ['users'], () => import('./users.tsx'), 'user'),
  screen('/users/$id', 'User', ['users'], () => import('./user.tsx')),
  screen('/roles', 'Roles', ['roles:read'], () => import('./roles.tsx'), 'lock'),
  screen('/keys', 'API keys', ['api-keys'], () => import('./keys.tsx'), 'key'),
  screen('/keys/$id', 'API key', ['api-keys', 'api-keys:requests'], () => import('./key.tsx')),
  screen('/audit', 'Audit log', ['audit:read'], () => import('./audit.tsx'), 'document'),
  screen('/messages', 'Messages', ['messages'], () => import('./messages.tsx'), 'inbox'),
  screen('/health', 'Health', ['users', 'audit:read'], () => import('./health.tsx'), 'chart'),
  screen('/production', 'Production', ['production:read'], () => import('./production.tsx'), 'settings'),
  screen('/going-live', 'Going live', ['users'], () => import('./going-live.tsx'), 'shield'),
];
