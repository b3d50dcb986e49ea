// The screens of an agent's own login. All are in one file, because an agent uses most of them every day over a slow network.
import { type Screen, screensIn } from '../../app/screen.ts';

const AGENT_ROLES = ['super_agent', 'sub_agent'];
type Pages = typeof import('./pages.ts');
const page = (name: keyof Pages) => async () => ({ default: (await import('./pages.ts'))[name] });
type More = typeof import('./more/pages.ts');
const more = (name: keyof More) => async () => ({ default: (await import('./more/pages.ts'))[name] });
const screen = screensIn('Work', AGENT_ROLES);

export const OWN_AGENT: readonly Screen[] = [
  screen('/agent', 'Your float', ['agents:read'], page('Home'), 'home'),
  screen('/agent/cash-in', 'Cash in', ['agents:cashin'], page('CashIn'), 'arrowDown'),
  screen('/agent/cash-out', 'Cash out', ['payments:withdraw'], page('CashOut'), 'arrowUp'),
  screen('/agent/cash-out-code', 'Pay out a code', ['agents:cashin'], page('Redeem'), 'phone'),
  screensIn('Work', ['super_agent'])('/agent/transfer', 'Sub-agents', ['agents:transfer'], page('Transfer'), 'network'),
  screen('/agent/register', 'New customer', ['subscribers:write'], () => import('./more/register.tsx'), 'user'),
  screen('/agent/customers', 'Your customers', ['subscribers:write'], more('Customers'), 'customers'),
  screen('/agent/level/$id', 'Level 2', ['subscribers:request-level'], more('Level')),
  screen(
    '/agent/float-requests',
    'Float requests',
    ['agents:read'],
    () => import('./more/float-requests.tsx'),
    'inbox',
  ),
  screen('/agent/history', 'History', ['agents:history'], page('History'), 'clock'),
  screen('/agent/commissions', 'Commission', ['agents:read'], page('Commissions')),
  screen('/agent/receipt/$id', 'Receipt', ['payments:read'], page('ReceiptScreen')),
  screen('/agent/pin', 'Change PIN', ['agents:pin'], page('ChangePin'), 'lock'),
];
