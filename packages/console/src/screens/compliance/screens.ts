// The screens about alerts, monitoring rules and fees.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Risk');
const inMoney = screensIn('Money');

export const COMPLIANCE: readonly Screen[] = [
  screen('/alerts', 'Alerts', ['compliance:read'], () => import('./alerts.tsx'), 'alert'),
  screen('/alerts/$id', 'Alert', ['compliance:read'], () => import('./alert.tsx')),
  screen('/rules', 'Monitoring rules', ['compliance:read'], () => import('./rules.tsx'), 'shield'),
  screen('/rules/new', 'New rule', ['compliance:write'], () => import('./new-rule.tsx')),
  screen('/rules/$id', 'Monitoring rule', ['compliance:read'], () => import('./rule.tsx')),
  inMoney('/fees', 'Fees', ['fees:read'], () => import('./fees.tsx'), 'settings'),
  inMoney('/fees/$type/$party', 'Fee', ['fees:read'], () => import('./fee.tsx')),
];
