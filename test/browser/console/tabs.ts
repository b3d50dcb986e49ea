// Browsers with several tabs of the console, whose time a test can move.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newContext } from '../windows.ts';
import { type Credentials, consoleUrl, logIn } from './console.ts';

export const LOCKED = 'The console is locked';
export const ENDED = 'Your session has ended';

export async function openTab(context: BrowserContext, url: string, path = ''): Promise<Page> {
  const page = await context.newPage();
  await page.goto(consoleUrl(url) + path);
  return page;
}

/** With the console in its first tab, logged in. */
export async function openBrowser(
  browser: Browser,
  url: string,
  who: Credentials,
  path = '',
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await newContext(browser);
  await context.clock.install();
  const page = await openTab(context, url, path);
  await logIn(page, who);
  return { context, page };
}

export const lockOf = (page: Page, title: string) => page.getByRole('dialog', { name: title });

export async function logInAgain(page: Page, { password }: Pick<Credentials, 'password'>): Promise<void> {
  await page.getByLabel('Password', { exact: false }).first().fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

export const ACCOUNT_MENU = '[popover]:popover-open';

export async function menu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.locator(ACCOUNT_MENU).getByText(item, { exact: true }).click();
}
