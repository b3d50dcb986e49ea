// What the console shows while it is locked and after a logout: nothing of the user, in any tab.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { type TotpUser, totpUser } from '../../support/second-factor.ts';
import { type Staff, staffMember } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { newContext } from '../windows.ts';
import { consoleForFile, logIn } from './console.ts';
import { LOCKED, lockOf, logInAgain, menu, openBrowser, openTab } from './tabs.ts';

const { kissi, bank, browser } = await consoleForFile();
const RESET = '**/reset-password';
let admin: Staff;
let colleague: Staff;

before(async () => {
  admin = await staffMember(kissi, 'system_admin');
  colleague = await staffMember(kissi, 'support_user');
});

const loginPage = (page: Page) => page.getByRole('heading', { name: 'Log in to Kissi' });
const temporaryPassword = (page: Page) => page.getByRole('dialog', { name: 'Temporary password' });

/** The administrator opens a user, up to the last step before the secret. */
async function beginReset(): Promise<{ context: BrowserContext; page: Page; user: Staff }> {
  const user = await staffMember(kissi, 'support_user');
  const { context, page } = await openBrowser(browser, kissi.url, admin, `users/${user.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Reset the password' }).click();
  return { context, page, user };
}

const finishReset = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Reset the password' }).click();

async function shownSecret(page: Page): Promise<string> {
  const fact = temporaryPassword(page).locator('dl > div').filter({ hasText: 'Temporary password' }).locator('dd');
  return (await fact.innerText()).trim();
}

/** `text` is in neither the document nor the title of the tab. */
async function assertGone(page: Page, text: string): Promise<void> {
  assert.ok(text.length > 5, text);
  assert.ok(!(await page.content()).includes(text), `${text} is in the document`);
  assert.ok(!(await page.title()).includes(text), `${text} is in the title`);
}

const idle = (context: BrowserContext) => context.clock.fastForward('15:10');

test('a secret is removed by the lock, shown again to its user, and never to another', async () => {
  const { context, page, user } = await beginReset();
  await finishReset(page);
  const secret = await shownSecret(page);
  await idle(context);
  await lockOf(page, LOCKED).waitFor();
  await assertGone(page, secret);
  await logInAgain(page, admin);
  assert.equal(await shownSecret(page), secret);

  await idle(context);
  await lockOf(page, LOCKED).waitFor();
  await page.getByRole('button', { name: 'Log in as another user' }).click();
  await loginPage(page).waitFor();
  for (const text of [secret, user.email, admin.email]) await assertGone(page, text);
  await logIn(page, colleague);
  for (const text of [secret, user.email, admin.email]) await assertGone(page, text);
  await context.close();
});

test('a secret that arrives while the console is locked is shown after the login', async () => {
  const { context, page } = await beginReset();
  const { promise: executed, resolve: wasExecuted } = Promise.withResolvers<void>();
  const { promise: locked, resolve: release } = Promise.withResolvers<void>();
  // The service has executed the request before the lock ends the session; its reply arrives later.
  await context.route(RESET, async (route) => {
    const response = await route.fetch();
    wasExecuted();
    await locked;
    await route.fulfill({ response });
  });
  const replied = page.waitForResponse(RESET);
  await finishReset(page);
  await executed;
  const second = await openTab(context, kissi.url);
  await menu(second, 'Lock');
  await lockOf(page, LOCKED).waitFor();
  release();
  const { temporary_password: secret } = await (await replied).json();
  await assertGone(page, secret);
  await logInAgain(page, admin);
  assert.equal(await shownSecret(page), secret);
  await context.close();
});

test('after a logout, other tabs contain nothing of the user', async () => {
  const { context, page, user } = await beginReset();
  await finishReset(page);
  const secret = await shownSecret(page);
  const second = await openTab(context, kissi.url, 'customers');
  await menu(second, 'Log out');
  await loginPage(page).waitFor();
  for (const text of [secret, user.email, admin.email]) await assertGone(page, text);
  assert.equal(await page.title(), 'Log in · Kissi');
  await logIn(second, colleague);
  assert.equal(await loginPage(page).count(), 1);
  await logIn(page, colleague);
  for (const text of [secret, user.email, admin.email]) await assertGone(page, text);
  await context.close();
});

test('the lock works without a connection, and the title of the tab does not name the customer', async () => {
  const name = 'Finda Sesay';
  const { id } = await bank.wallet(0, { first_name: 'Finda', last_name: 'Sesay' });
  const { context, page } = await openBrowser(browser, kissi.url, colleague, `customers/${id}`);
  const heading = page.getByRole('heading', { name, level: 1 });
  await heading.waitFor();
  const titleIs = (title: string) => waitFor(title, async () => (await page.title()) === title);
  await titleIs(`${name} · Kissi`);
  await context.setOffline(true);
  await idle(context);
  await lockOf(page, LOCKED).waitFor();
  await titleIs('Locked · Kissi');
  assert.equal(await heading.count(), 0);
  await context.setOffline(false);
  await page.getByText('so your session is still open there').waitFor({ state: 'detached' });
  await logInAgain(page, colleague);
  await heading.waitFor();
  await titleIs(`${name} · Kissi`);
  await context.close();
});

test('keys do not reach what the lock hides', async () => {
  const { context, page } = await beginReset();
  await idle(context);
  await lockOf(page, LOCKED).waitFor();
  const focused = () => page.evaluate(`document.activeElement?.getAttribute('name')`);
  await waitFor('the password has the focus', async () => (await focused()) === 'password');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await page.mouse.click(5, 5);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 1);
  await logInAgain(page, admin);
  await page.getByRole('dialog').getByRole('button', { name: 'Reset the password' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 1);
  await context.close();
});

test('a page that the browser kept is loaded again when the user goes back to it', async () => {
  const { context, page } = await openBrowser(browser, kissi.url, colleague, 'account');
  const loaded = page.waitForEvent('load');
  // Chromium under test keeps no pages, so the test sends what browsers send.
  await page.evaluate(`void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await loaded;
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await context.close();
});

test('a part of the console that cannot be loaded says so, and loading the page again helps', async () => {
  const user: TotpUser = await totpUser(kissi);
  const context = await newContext(browser);
  const page = await openTab(context, kissi.url);
  const file = '**/assets/second-factor-form-*.js';
  await context.route(file, (route) => route.abort('connectionreset'));
  await page.getByLabel('Email').fill(user.email);
  await logInAgain(page, user);
  await page.getByText('This part of the console could not be loaded.').waitFor();
  await context.unroute(file);
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByLabel('Email').fill(user.email);
  await logInAgain(page, user);
  await page.getByLabel('Code from your authenticator app').fill(user.nextCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('#main').waitFor();
  await context.close();
});
