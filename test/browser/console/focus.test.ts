// After a dialog the focus is where it was before, or at the nearest place that is still there: each kind of dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFundedAgent } from '../../support/agents.ts';
import { staffMember } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { PHONE_WIDTH } from '../page.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();
const { wallet, card } = await bank.customer(50_000);
const agent = await newFundedAgent(kissi, 50_000);
const admin = await staffMember(kissi, 'system_admin');

/** What a screen reader says of the focused element. */
const FOCUSED = `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText)?.split('\\n')[0]`;

async function focusIsOn(screen: Screen, name: string): Promise<void> {
  let focused: unknown;
  await waitFor(`the focus is on ${name}`, async () => {
    focused = await screen.page.evaluate(FOCUSED);
    return focused === name;
  }).catch((error) => assert.fail(`${error}: it is on ${focused}`));
}

async function leave(screen: Screen): Promise<void> {
  await screen.page.keyboard.press('Escape');
  await screen.dialog.waitFor({ state: 'detached' });
}

/** Enter, as a user without a mouse opens it. */
async function press(screen: Screen, name: string): Promise<void> {
  await screen.button(name).first().focus();
  await screen.page.keyboard.press('Enter');
  await screen.dialog.waitFor();
}

for (const width of [PHONE_WIDTH, 1280]) {
  test(`the focus returns after every kind of dialog, ${width} pixels wide`, async () => {
    const window = await openConsole(browser, kissi.url, admin, { width });
    const screen = screenOf(window);
    const { page, go } = window;

    await go(`/agents/${agent.id}`);
    await press(screen, 'Fund');
    await leave(screen);
    await focusIsOn(screen, 'Fund');
    await screen.openFromMenu('More', 'Edit');
    await leave(screen);
    await focusIsOn(screen, 'More');

    await screen.button('Fund').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await leave(screen);
    await focusIsOn(screen, 'Fund');

    await go('/audit');
    const entry = page.locator('#main :is(tbody, li) button').nth(1);
    const action = await entry.innerText();
    await entry.focus();
    await page.keyboard.press('Enter');
    await screen.dialog.waitFor();
    await screen.checkOpened('an entry of the audit log');
    await leave(screen);
    await focusIsOn(screen, action);
    await window.close();
  });
}

test('the focus moves to the heading when the opener is gone after the change', async () => {
  const screen = screenOf(await openConsole(browser, kissi.url, admin));
  const { page } = screen;
  await screen.go(`/customers/${wallet.id}`);
  await press(screen, `Unlink: ${card}`);
  await screen.confirm('Unlink');
  await page.getByText('No card is linked to this wallet.').waitFor();
  const name = await page.locator('#main h1').innerText();
  await focusIsOn(screen, name);
  await screen.check('the heading has the focus');

  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(FOCUSED), name, 'the keyboard goes on from there');
  await screen.close();
});
