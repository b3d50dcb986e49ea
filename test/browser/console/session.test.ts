// The console's session: what ends it, what outlives it, and what the tabs of a browser share.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { DIST } from '../../../packages/console/scripts/build.ts';
import { floatOf, newAgent } from '../../support/agents.ts';
import { movementCount } from '../../support/money.ts';
import { auditLogs, login, type Staff, staffMember } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { holdReads } from '../reads.ts';
import { newContext } from '../windows.ts';
import { consoleForFile, consoleUrl, logIn, openConsole } from './console.ts';
import * as tabs from './tabs.ts';
import { ACCOUNT_MENU, ENDED, LOCKED, lockOf, logInAgain, menu } from './tabs.ts';

const { kissi, browser } = await consoleForFile();

const LOGOUT = '**/console/session/logout';
const STILL_OPEN = 'so your session is still open there';

const openBrowser = (staff: Staff, path?: string) => tabs.openBrowser(browser, kissi.url, staff, path);
const openTab = (context: BrowserContext, path?: string) => tabs.openTab(context, kissi.url, path);

const logoutsOf = async ({ id }: Staff, action = 'session.logout') =>
  (await auditLogs(kissi, { action, actor_id: id, limit: '100' })).length;

/** Fills in the form that funds an agent, up to the confirmation. */
async function beginFunding(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Fund' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('75');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Check before you confirm').waitFor();
}

async function finishFunding(page: Page, agent: { id: string }): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click();
  await page.getByText('The float is funded').waitFor();
  assert.deepEqual([await floatOf(kissi, agent), await movementCount(kissi, agent.id)], [7_500, 1]);
}

test('after 15 idle minutes the console is locked and the session ended; what was typed is kept', async () => {
  const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'finance_user')];
  const { context, page } = await openBrowser(staff, `agents/${agent.id}`);
  await beginFunding(page);
  await context.clock.fastForward('14:00');
  assert.equal(await lockOf(page, LOCKED).count(), 0);
  await context.clock.fastForward('01:10');
  await lockOf(page, LOCKED).waitFor();
  assert.equal(await page.getByText('Check before you confirm').isVisible(), false);
  await waitFor('the session ended', async () => (await logoutsOf(staff)) === 1);

  const second = await openTab(context);
  await second.getByLabel('Email').waitFor();
  await second.close();
  await logInAgain(page, staff);
  await page.getByText('Check before you confirm').waitFor();
  await finishFunding(page, agent);
  await context.close();
});

test('a session that was ended elsewhere shows the lock, keeps the form, and the payment is made once', async () => {
  const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'finance_user')];
  const { context, page } = await openBrowser(staff, `agents/${agent.id}`);
  await beginFunding(page);
  const readOn = await holdReads(context);
  const other = await openBrowser(staff);
  await menu(other.page, 'Log out everywhere');
  await waitFor('all sessions ended', async () => (await logoutsOf(staff, 'session.logout_everywhere')) === 1);
  await other.context.close();

  await page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click();
  await lockOf(page, ENDED).waitFor();
  await readOn();
  assert.equal(await floatOf(kissi, agent), 0);
  await logInAgain(page, staff);
  await finishFunding(page, agent);
  await context.close();
});

test("staff's overview needs one request, which also counts what waits; the navigation shows the same", async () => {
  const admin = await staffMember(kissi, 'system_admin');
  const { page, close } = await openConsole(browser, kissi.url, admin);
  await page.getByRole('heading', { name: 'Today against last week' }).waitFor();
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) paths.push(pathname.replace('/api/v1', ''));
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(paths, ['/admin/me', '/admin/overview']);
  await close();
});

test('tabs share activity, lock and login; another user starts over', async () => {
  const [staff, colleague] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'support_user')];
  const { context, page } = await openBrowser(staff, 'customers');
  const second = await openTab(context, 'account');
  await second.getByRole('heading', { name: 'Your account' }).waitFor();
  await second.getByLabel('Current password').fill('half typed');

  await context.clock.fastForward('10:00');
  await second.evaluate(`void (globalThis.told = new Promise((resolve) => {
    new BroadcastChannel('kissi-activity').onmessage = () => resolve(true);
  }))`);
  await page.keyboard.press('Shift');
  await second.evaluate('told');
  await context.clock.fastForward('10:00');
  await second.getByRole('heading', { name: 'Your account' }).waitFor();
  await context.clock.fastForward('05:10');
  for (const tab of [page, second]) await lockOf(tab, LOCKED).waitFor();

  await logInAgain(page, staff);
  await second.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.equal(await second.getByLabel('Current password').inputValue(), 'half typed');

  await context.clock.fastForward('15:10');
  for (const tab of [page, second]) await lockOf(tab, LOCKED).waitFor();
  await page.getByRole('button', { name: 'Log in as another user' }).click();
  await logIn(page, colleague);
  await second.getByRole('heading', { name: 'Log in to Kissi' }).waitFor();
  assert.equal(await second.getByLabel('Current password').count(), 0);
  await logIn(second, colleague);
  await second.waitForURL(/\/console\/(?!account)/);
  await context.close();
});

test('from the lock, another user can log in and sees nothing of the first one', async () => {
  const [staff, colleague] = [await staffMember(kissi, 'support_user'), await staffMember(kissi, 'finance_user')];
  const { context, page } = await openBrowser(staff, 'account');
  await page.getByLabel('Current password').fill('half typed');
  await menu(page, 'Lock');
  await lockOf(page, LOCKED).waitFor();
  await page.getByRole('button', { name: 'Log in as another user' }).click();
  await logIn(page, colleague);
  assert.ok(!page.url().includes('/account'), page.url());
  assert.equal(await page.getByLabel('Current password').count(), 0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.locator(ACCOUNT_MENU).getByText(colleague.email).waitFor();
  await context.close();
});

test('a logout that does not reach the service is said, survives a reload, and is sent again', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { context, page } = await openBrowser(staff);
  await context.route(LOGOUT, (route) => route.abort('connectionreset'));
  await menu(page, 'Log out');
  await page.getByText(STILL_OPEN).waitFor();
  await page.reload();
  await page.getByText(STILL_OPEN).waitFor();
  await page.getByRole('heading', { name: 'Log in to Kissi' }).waitFor();
  assert.equal(await logoutsOf(staff), 0);
  // A login would replace the cookie, and the open session could no longer be ended.
  await page.getByLabel('Email').fill(staff.email);
  await logInAgain(page, staff);
  await page.getByText('The service cannot be reached').waitFor();

  await context.unroute(LOGOUT);
  await context.clock.fastForward('01:00');
  await page.getByText(STILL_OPEN).waitFor({ state: 'hidden' });
  assert.equal(await logoutsOf(staff), 1);
  await logInAgain(page, staff);
  await page.locator('#main').waitFor();
  await context.close();
});

test('to log out everywhere in a session that had ended before is said, and works after a login', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const [{ context, page }, { token }] = [await openBrowser(staff), (await login(kissi, staff)).json];
  const readOn = await holdReads(context);
  const [cookie] = await context.cookies(`${consoleUrl(kissi.url)}session`);
  const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'sec-fetch-site': 'same-origin' };
  assert.equal((await kissi.call('POST', '/console/session/logout', { headers })).status, 200);

  await menu(page, 'Log out everywhere');
  await page.getByText('your other sessions were not ended').waitFor();
  await readOn();
  const me = async () => (await kissi.call('GET', '/api/v1/admin/me', { token })).status;
  assert.deepEqual([await logoutsOf(staff, 'session.logout_everywhere'), await me()], [0, 200]);
  await logIn(page, staff);
  await menu(page, 'Log out everywhere');
  await page.getByRole('heading', { name: 'Log in to Kissi' }).waitFor();
  await waitFor('all sessions ended', async () => (await logoutsOf(staff, 'session.logout_everywhere')) === 1);
  assert.deepEqual([await page.getByText('were not ended').count(), await me()], [0, 401]);
  await context.close();
});

test('a tab that is closed right after the logout still ends the session', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { context, page } = await openBrowser(staff);
  await menu(page, 'Log out');
  await page.close();
  await waitFor('the session ended', async () => (await logoutsOf(staff)) === 1);
  await context.close();
});

test('a page of another site cannot end or use the session', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { context, page } = await openBrowser(staff);
  const body = ['logout', 'refresh']
    .map(
      (name) => `<form method="post" action="${consoleUrl(kissi.url)}session/${name}"><button>${name}</button></form>`,
    )
    .join('');
  await context.route('http://shop.example/', (route) => route.fulfill({ contentType: 'text/html', body }));
  const foreign = await context.newPage();
  for (const name of ['logout', 'refresh']) {
    await foreign.goto('http://shop.example/');
    const replied = foreign.waitForResponse(`**/console/session/${name}`);
    await foreign.getByRole('button', { name }).click();
    assert.equal((await replied).status(), 401, name);
  }
  assert.equal(await logoutsOf(staff), 0);
  await page.reload();
  await page.locator('#main').waitFor();
  await context.close();
});

test('a changed password ends the sessions of other browsers, which keep what was typed', async () => {
  const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'finance_user')];
  const other = await openBrowser(staff, `agents/${agent.id}`);
  await beginFunding(other.page);
  const readOn = await holdReads(other.context);
  const { context, page } = await openBrowser(staff, 'account');
  const password = 'Another-Horse-8';
  await page.getByLabel('Current password').fill(staff.password);
  await page.getByLabel('New password', { exact: false }).first().fill(password);
  await page.getByLabel('New password again').fill(password);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password was changed').waitFor();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.equal((await login(kissi, staff)).status, 401);

  await other.page.getByRole('dialog').getByRole('button', { name: 'Fund' }).click();
  await lockOf(other.page, ENDED).waitFor();
  await readOn();
  await logInAgain(other.page, { ...staff, password });
  await finishFunding(other.page, agent);
  await Promise.all([context.close(), other.context.close()]);
});

test('staff choose Krio and find it again after a reload; an agent loads only the Krio texts of agents', async () => {
  const [agent, staff] = [await newAgent(kissi), await staffMember(kissi, 'finance_user')];
  const { context, page } = await openBrowser(staff, `agents/${agent.id}`);
  await page.locator('#main').getByText('Active', { exact: true }).waitFor();
  await menu(page, 'Krio');
  const status = page.locator('#main').getByText('I de wok', { exact: true });
  await status.waitFor();
  await page.getByRole('link', { name: 'Pe-awt dɛm' }).waitFor();
  await page.reload();
  await status.waitFor();
  await page.getByRole('link', { name: 'Rikɔnsilieshɔn' }).click();
  await page.getByRole('heading', { name: 'Rikɔnsilieshɔn', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Akawnt fɔ/ }).click();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Reconciliation', level: 1 }).waitFor();
  await context.close();

  const own = await newContext(browser);
  const phone = await openTab(own);
  const scripts: string[] = [];
  phone.on('request', (request) => void scripts.push(new URL(request.url()).pathname));
  await phone.getByRole('button', { name: 'Krio' }).click();
  await phone.getByLabel('Imel').fill(agent.email);
  await phone.getByLabel('Paswɔd', { exact: false }).first().fill(agent.password);
  await phone.getByRole('button', { name: 'Lɔg in', exact: true }).click();
  await phone.getByRole('link', { name: 'Put kɔpɔ' }).first().waitFor();
  const manifest = JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8'));
  const isLoaded = (name: string) => scripts.some((path) => path.endsWith(manifest[name].file));
  assert.deepEqual(['src/app/krio.ts', 'src/locales/staff/kri.po', 'src/locales/bulk/kri.po'].map(isLoaded), [
    true,
    false,
    false,
  ]);
  await own.close();
});
