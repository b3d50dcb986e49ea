// A screen: its address, who may open it, and its place in the navigation.
import type { ComponentType } from 'react';
import type { IconName } from '../components/icon.tsx';
import { loadTexts } from './language.ts';

export interface Screen {
  /** Below /console, with parameters such as /customers/$id. */
  path: string;
  title: string;
  /** One of these permissions is needed; none for everybody. */
  permissions: readonly string[];
  /** Only for these roles, such as the screens of an agent's own login. */
  roles?: readonly string[];
  /** Its entry in the navigation; absent for screens that are opened from another screen. */
  navigation?: { group: NavigationGroup; icon: IconName };
  load: () => Promise<{ default: ComponentType }>;
}

export type NavigationGroup = 'Work' | 'Customers' | 'Network' | 'Money' | 'Risk' | 'System';

/** Describes the screens of one group. Those with an icon have an entry in the navigation. */
export const screensIn =
  (group: NavigationGroup, roles?: readonly string[]) =>
  (path: string, title: string, permissions: readonly string[], load: Screen['load'], icon?: IconName): Screen => ({
    path,
    title,
    permissions,
    load,
    ...(roles ? { roles } : {}),
    ...(icon ? { navigation: { group, icon } } : {}),
  });

/** The Krio texts of bulk payments are loaded with their screens. */
export const withBulkTexts = (load: Screen['load']) => async () => (await Promise.all([load(), loadTexts('bulk')]))[0];

/** Agents and merchants see their own records on their own screens. */
export const STAFF = ['system_admin', 'compliance_user', 'support_user', 'finance_user', 'sales_user', 'audit_user'];
