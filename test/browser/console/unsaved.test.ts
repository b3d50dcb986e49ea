// Text that was typed and not sent is not lost unasked: other screens, the way back, a closed dialog, a reload.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFundedAgent } from '../../support/agents.ts';
import { staffMember } from '../../support/staff.ts';
import { PHONE_WIDTH } from '../page.ts';
import { consoleForFile, consoleUrl, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();
const { wallet } = await bank.customer(50_000);
const agent = await newFundedAgent(kissi, 50_000);
const admin = await staffMember(kissi, 'system_admin');

const TITLE = 'Discard what you typed?';

const open = async (width = 1280): Promise<Screen> => screenOf(await openConsole(browser, kissi.url, admin, { width }));

const question = ({ page }: Screen) => page.getByRole('dialog', { name: TITLE });

async function answer(screen: Screen, name: 'Keep editing' | 'Discard'): Promise<void> {
  await question(screen).getByRole('button', { name }).click();
  await question(screen).waitFor({ state: 'detached' });
}

const toAgents = ({ page }: Screen) =>
  page.getByRole('navigation').getByRole('link', { name: 'Agents', exact: true }).click();

for (const width of [PHONE_WIDTH, 1280]) {
  test(`a typed form asks before its screen is left, ${width} pixels wide`, async () => {
    const screen = await open(width);
    const { page } = screen;
    // The entries that go makes are not those of the router, which goes back by their numbers.
    await page.goto(`${consoleUrl(kissi.url)}customers`);
    await page.getByRole('link', { name: 'Register a customer' }).click();
    const field = page.getByLabel('First name');
    await field.fill('Isatu');
    const above = page.locator('#main').getByRole('link', { name: 'Customers', exact: true });
    await above.click();
    await question(screen).waitFor();
    await screen.checkOpened('the question');
    await screen.shoot(`discard-${width}`);
    await page.keyboard.press('Escape');
    await question(screen).waitFor({ state: 'detached' });
    assert.deepEqual([await field.inputValue(), new URL(page.url()).pathname], ['Isatu', '/console/customers/new']);

    await page.evaluate('history.back()');
    await answer(screen, 'Keep editing');
    assert.equal(await field.inputValue(), 'Isatu');

    await above.click();
    await answer(screen, 'Discard');
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await screen.close();
  });
}

test('a form without changes, or with its changes taken back, asks nothing', async () => {
  const screen = await open();
  const { page } = screen;
  await screen.go('/customers/new');
  const field = page.getByLabel('First name');
  await field.fill('Isatu');
  await field.fill('');
  await toAgents(screen);
  await field.waitFor({ state: 'detached' });
  assert.equal(await question(screen).count(), 0);
  await screen.close();
});

test('a dialog with typed text asks on Escape, and its button Cancel does not', async () => {
  const screen = await open();
  const { page } = screen;
  await screen.go(`/agents/${agent.id}`);
  await screen.openFromMenu('More', 'Edit');
  const field = screen.dialog.getByLabel('Business name');
  const before = await field.inputValue();
  await field.fill('Lumley Kiosk');
  await page.keyboard.press('Escape');
  await question(screen).waitFor();
  await page.keyboard.press('Escape');
  await question(screen).waitFor({ state: 'detached' });
  assert.equal(await field.inputValue(), 'Lumley Kiosk', 'one Escape closes the question only');
  await page.keyboard.press('Escape');
  await answer(screen, 'Discard');
  await field.waitFor({ state: 'detached' });

  await screen.openFromMenu('More', 'Edit');
  assert.equal(await field.inputValue(), before);
  await field.fill('Lumley Kiosk');
  await screen.dialog.getByRole('button', { name: 'Cancel' }).click();
  await field.waitFor({ state: 'detached' });
  assert.equal(await question(screen).count(), 0);
  await screen.close();
});

test('a note asks until it is saved, and a reload asks as the browser does', async () => {
  const screen = await open();
  const { page } = screen;
  await screen.go(`/customers/${wallet.id}`);
  const note = page.getByRole('textbox', { name: 'New note' });
  await note.fill('Prefers calls after 17:00.');
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.accept();
  await reloaded;

  await page.getByText('No notes yet.').waitFor();
  await note.fill('Speaks Mende.');
  // What loads above moves the button, and would be clicked instead.
  await screen.button('Add the note').press('Enter');
  await page.getByRole('article').getByText('Speaks Mende.').waitFor();
  await toAgents(screen);
  await note.waitFor({ state: 'detached' });
  assert.equal(await question(screen).count(), 0, 'what was sent is saved');

  await screen.go(`/customers/${wallet.id}`);
  await note.fill('Moved to Bo.');
  await toAgents(screen);
  await answer(screen, 'Keep editing');
  assert.equal(await note.inputValue(), 'Moved to Bo.');
  await screen.close();
});

test('a changed fee asks before its screen is left, and not after it was sent', async () => {
  const screen = await open();
  const { page, button } = screen;
  await screen.go('/fees/transfer_p2p/sender');
  const field = page.getByLabel('Fee for each payment').or(page.getByLabel('Percentage of the amount'));
  await field.fill('2');
  await toAgents(screen);
  await answer(screen, 'Keep editing');
  await button('Save').click();
  await screen.confirm('Save');
  await toAgents(screen);
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  const { json } = await kissi.asAdmin.get('/fee-settings/transfer_p2p/sender');
  assert.equal(json.fee_value, 2);
  await screen.close();
});
