// Screens for partners, the credits they send and the events they receive.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Network');

export const PARTNERS: readonly Screen[] = [
  screen('/partners', 'Partners', ['partners:read'], () => import('./partners.tsx'), 'partner'),
  screen('/partners/$id', 'Partner', ['partners:read'], () => import('./partner.tsx')),
  screen('/credits', 'Inbound credits', ['inbound:review'], () => import('./credits.tsx'), 'download'),
  screen('/credits/$id', 'Inbound credit', ['inbound:review'], () => import('./credit.tsx')),
  screen('/deliveries', 'Deliveries', ['partners'], () => import('./deliveries.tsx'), 'external'),
  screen('/deliveries/$id', 'Webhook delivery', ['partners'], () => import('./delivery.tsx')),
];
