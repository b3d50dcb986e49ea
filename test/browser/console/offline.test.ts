// Screens that are opened without a connection: loaded again when it is back, with their style sheets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newAgent, newFundedAgent } from '../../support/agents.ts';
import { staffMember } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, browser } = await consoleForFile();

const NOT_LOADED = 'This part of the console could not be loaded.';
const CSS = '**/assets/*.css';

/** A screen without its styles would be shown, but not readable. */
async function assertStyled(page: Page): Promise<void> {
  const lost = `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet).map(({ href }) => href)`;
  assert.deepEqual(await page.evaluate(lost), []);
}

test('a screen that is opened offline says so in plain words, and is shown when the connection is back', async () => {
  const opened = await openConsole(browser, kissi.url, await staffMember(kissi, 'finance_user'), { width: 360 });
  const { page, go, check, errors, close } = opened;
  // React and the browser show each lost file as an error.
  const forgetErrors = () => errors.splice(0);
  await page.locator('#main').waitFor();
  await page.context().setOffline(true);
  await go('/agents');
  await page.getByText(NOT_LOADED).waitFor();
  assert.equal(await page.getByText('preload').count(), 0);
  await page.getByRole('button', { name: 'Load the page again' }).waitFor();
  forgetErrors();
  await check('a screen that is not loaded');
  const isUnreachable = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/health'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await isUnreachable;
  await page.getByText(NOT_LOADED).waitFor();

  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  await assertStyled(page);
  forgetErrors();
  await check('the screen after the connection is back');
  await close();
});

test('a connection that is lost for a moment is not noticed', async () => {
  const { page, go, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'finance_user'));
  await page.locator('#main').waitFor();
  let cut = 0;
  await page.route(CSS, (route) => (cut++ === 0 ? route.abort('internetdisconnected') : route.continue()));
  await go('/agents');
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  assert.ok(cut > 1, `${cut} style sheets`);
  await assertStyled(page);
  assert.equal(await page.getByText(NOT_LOADED).count(), 0);
  await close();
});

test("an agent's screen that is opened offline can be tried again", async () => {
  const agent = await newAgent(kissi);
  const { page, go, close } = await openConsole(browser, kissi.url, agent, { width: 360 });
  await page.getByText('SLE 0.00').first().waitFor();
  await page.context().setOffline(true);
  await go('/account');
  await page.getByText(NOT_LOADED).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await assertStyled(page);
  await close();
});

test('the installed console opens without a network, says so, and goes on when the network is back', async () => {
  const agent = await newFundedAgent(kissi, 100_000);
  const { page, go, check, forgetFailures, close } = await openConsole(browser, kissi.url, agent, { width: 360 });
  await page.getByText('SLE 1,000.00').first().waitFor();
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  const installed = await kissi.call('GET', String(manifest));
  assert.equal(installed.status, 200);
  const { start_url, scope, display, icons } = JSON.parse(installed.text);
  assert.deepEqual([start_url, scope, display], ['/console/', '/console/', 'standalone']);
  for (const { src } of icons) assert.equal((await kissi.call('GET', src)).status, 200, src);
  await page.evaluate('navigator.serviceWorker.ready');

  await page.context().setOffline(true);
  await page.reload();
  const offline = page.getByText('The service cannot be reached. The console opens when the connection is back.');
  await offline.waitFor();
  assert.equal(await page.getByLabel('Password').count(), 0);
  forgetFailures();
  await check('the installed console without a network');
  await page.context().setOffline(false);
  await page.getByText('SLE 1,000.00').first().waitFor();
  await offline.waitFor({ state: 'detached' });
  await go('/agent/cash-in');
  await page.getByLabel("Customer's phone or card number").waitFor();
  forgetFailures();
  await check('the installed console after the network is back');
  await close();
});

test('without a session the installed console asks for the login, with or without a network', async () => {
  const agent = await newAgent(kissi);
  const { page, forgetFailures, check, close } = await openConsole(browser, kissi.url, agent, { width: 360 });
  await page.getByText('SLE 0.00').first().waitFor();
  await page.evaluate('navigator.serviceWorker.ready');
  await page.evaluate(`localStorage.removeItem('kissi-session')`);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong-Password-1');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('The service cannot be reached. Check the connection.').waitFor();
  forgetFailures();
  await check('a login without a network');
  await page.context().setOffline(false);
  await close();
});
