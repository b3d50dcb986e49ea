// The screens about customers and their wallets.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Customers');

export const CUSTOMERS: readonly Screen[] = [
  screen('/customers', 'Customers', ['subscribers:read'], () => import('./list.tsx'), 'customers'),
  screen('/customers/new', 'Register a customer', ['subscribers:write'], () => import('./new.tsx')),
  screen('/customers/$id', 'Customer', ['subscribers:read'], () => import('./customer.tsx')),
];
