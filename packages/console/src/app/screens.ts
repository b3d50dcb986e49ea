// All screens in the order of the navigation, and who may open which.
import { ADMINISTRATION } from '../screens/administration/screens.ts';
import { AGENTS } from '../screens/agents/screens.ts';
import { APPROVALS } from '../screens/approvals/screens.ts';
import { BULK_PAYMENTS } from '../screens/bulk-payments/screens.ts';
import { COMPLIANCE } from '../screens/compliance/screens.ts';
import { CUSTOMERS } from '../screens/customers/screens.ts';
import { FINANCE } from '../screens/finance/screens.ts';
import { LAB } from '../screens/lab/screens.ts';
import { MERCHANTS } from '../screens/merchants/screens.ts';
import { OVERVIEW } from '../screens/overview/screens.ts';
import { OWN_AGENT } from '../screens/own-agent/screens.ts';
import { OWN_MERCHANT } from '../screens/own-merchant/screens.ts';
import { PARTNERS } from '../screens/partners/screens.ts';
import { TRANSACTIONS } from '../screens/transactions/screens.ts';
import type { NavigationGroup, Screen } from './screen.ts';

export const GROUPS: readonly NavigationGroup[] = ['Work', 'Customers', 'Network', 'Money', 'Risk', 'System'];

/** In the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  ...OWN_AGENT,
  ...OWN_MERCHANT,
  ...OVERVIEW,
  ...APPROVALS,
  ...CUSTOMERS,
  ...TRANSACTIONS,
  ...AGENTS,
  ...MERCHANTS,
  ...PARTNERS,
  ...BULK_PAYMENTS,
  ...FINANCE,
  ...COMPLIANCE,
  ...ADMINISTRATION,
  ...LAB,
];

export interface Viewer {
  role: string;
  permissions: readonly string[];
}

export function mayOpen({ permissions, roles }: Screen, viewer: Viewer): boolean {
  if (roles && !roles.includes(viewer.role)) return false;
  return permissions.length === 0 || permissions.some((permission) => viewer.permissions.includes(permission));
}

/** The screen after the login. */
export const homeOf = (viewer: Viewer) =>
  SCREENS.find((screen) => screen.navigation && mayOpen(screen, viewer))?.path ?? '/account';
