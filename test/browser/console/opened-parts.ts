// Menus and dialogs that open above a screen, one of each kind.
import type { Page } from 'playwright-core';
import { ACCOUNT_MENU } from './tabs.ts';

export interface OpenedPart {
  name: string;
  role: string;
  /** The screen's path in its screens.ts. */
  screen: string;
  selector: string;
  open(page: Page): Promise<void>;
}

const DIALOG = '[role=dialog]';
const MENU = '[role=menu]';

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();

const fromMenu = (menu: string, item: string) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** Always shown beside the screen of a desktop. */
async function openNavigation(page: Page): Promise<void> {
  const burger = page.getByRole('button', { name: 'Navigation' });
  if (await burger.isVisible()) await burger.click();
}

const search = (text: string, result: string) => async (page: Page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
  await page.getByRole('dialog').locator(result).first().waitFor();
};

export const OPENED_PARTS: readonly OpenedPart[] = [
  { name: 'the navigation', role: 'system_admin', screen: '/customers', selector: 'nav', open: openNavigation },
  {
    name: 'the search with results',
    role: 'system_admin',
    screen: '/customers',
    selector: DIALOG,
    open: search('Kamara', '[role=option]'),
  },
  {
    name: 'the search without results',
    role: 'system_admin',
    screen: '/customers',
    selector: DIALOG,
    open: search('Xyzzy Plugh', 'text=Nothing found'),
  },
  {
    name: 'the menu of the user',
    role: 'system_admin',
    screen: '/customers',
    selector: ACCOUNT_MENU,
    open: press(/^Account of/),
  },
  { name: 'the saved views', role: 'system_admin', screen: '/customers', selector: MENU, open: press('Views') },
  { name: 'a menu of actions', role: 'system_admin', screen: '/customers/$id', selector: MENU, open: press('More') },
  {
    name: 'a change with a reason',
    role: 'system_admin',
    screen: '/customers/$id',
    selector: DIALOG,
    open: press('Block'),
  },
  {
    name: 'a change of fields',
    role: 'system_admin',
    screen: '/agents/$id',
    selector: DIALOG,
    open: fromMenu('More', 'Edit'),
  },
  {
    name: 'a download in three formats',
    role: 'system_admin',
    screen: '/customers/$id',
    selector: DIALOG,
    open: press('Statement'),
  },
  { name: 'a payment', role: 'system_admin', screen: '/agents/$id', selector: DIALOG, open: press('Fund') },
  {
    name: 'the drawer of an entry',
    role: 'system_admin',
    screen: '/audit',
    selector: DIALOG,
    open: (page) => page.locator('#main :is(tbody, li) button').first().click(),
  },
  {
    name: "the menu of an agent's login",
    role: 'super_agent',
    screen: '/agent',
    selector: ACCOUNT_MENU,
    open: press(/^Account of/),
  },
];
