// What every list of the console can do: real links, focus after Back, columns, periods, parties by name, sorting.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type User, user } from '../../support/approvals.ts';
import { raiseAlert, SERVICE_ENV } from '../../support/compliance.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN } from '../../support/money.ts';
import { staffToken } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile({ env: SERVICE_ENV });
const AMOUNTS = [10_00, 20_00, 30_00];
let staff: User;
let window: Screen;
let page: Page;
let payee = '';

before(async () => {
  const payer = await bank.wallet(500_00);
  const wallet = await bank.wallet(0, { first_name: 'Fatmata', last_name: 'Kargbo-Sesay' });
  payee = wallet.id;
  const cards = [await bank.card(wallet), (await bank.customer(0)).card];
  for (const amount of AMOUNTS) {
    for (const card of cards) {
      const body = {
        sender_id: payer.id,
        recipient_card_serial: card,
        amount,
        pin: PIN,
        request_id: `${card}-${amount}`,
      };
      const reply = await bank.post('/wallet/transfer-p2p', body);
      assert.equal(reply.status, 200, reply.text);
    }
  }
  await raiseAlert(kissi, { severity: 'LOW', description: 'The first report.' });
  kissi.clock.advance(1_000);
  await raiseAlert(kissi, { severity: 'CRITICAL', description: 'The second report.' });
  staff = await user(kissi, 'compliance_user');
  window = screenOf(await openConsole(browser, kissi.url, staff, { width: 1280 }));
  page = window.page;
});

async function shoot(shown: Page, name: string) {
  const { SHOTS } = process.env;
  if (SHOTS) await shown.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

const rowLinks = (shown = page) => shown.locator('a[data-row]');
const focused = (shown = page) => shown.evaluate('document.activeElement?.dataset?.row ?? null');

test('rows are links: the keyboard moves between them, and Back returns to the row', async () => {
  await window.go('/transactions?type=transfer_p2p');
  await rowLinks().nth(5).waitFor();
  const rows = await rowLinks().evaluateAll<string[], HTMLElement>((links) =>
    links.map((link) => link.dataset.row ?? ''),
  );
  assert.equal(rows.length, 6);
  await rowLinks().first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.equal(await focused(), rows[1]);
  await page.keyboard.press('Enter');
  await page.getByText('How the money moved').waitFor();
  assert.equal(new URL(page.url()).pathname, `/console/transactions/${rows[1]}`);
  await page.goBack();
  await page.locator(`a[data-row="${rows[1]}"]:focus`).waitFor();
  // A click beside the link opens the record too.
  await page.getByRole('row').nth(4).getByRole('time').click();
  await page.getByText('How the money moved').waitFor();
  await page.goBack();
  await page.locator(`a[data-row="${rows[3]}"]:focus`).waitFor();
  await window.check('a list of links');
});

test('a middle click opens a row in a new tab, on the link and beside it', async () => {
  const [first] = await rowLinks().evaluateAll<string[], HTMLElement>((links) =>
    links.map((link) => link.dataset.row ?? ''),
  );
  for (const target of [rowLinks().first(), page.getByRole('row').nth(1).getByRole('time')]) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), target.click({ button: 'middle' })]);
    await tab.waitForURL(`**/transactions/${first}`);
    await tab.close();
  }
  assert.match(page.url(), /transactions\?type/);
});

test('a party is picked by name, and a period from the list', async () => {
  await window.button('More filters').click();
  const customer = page.getByRole('combobox', { name: 'Customer' });
  await customer.fill('Kargbo-S');
  await page.getByRole('option', { name: /Fatmata Kargbo-Sesay/ }).click();
  await page.getByText(`1–${AMOUNTS.length} of ${AMOUNTS.length} transactions`).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('subscriber_id'), payee);
  assert.equal(await customer.inputValue(), 'Fatmata Kargbo-Sesay');
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Yesterday');
  await page.getByText('No transactions match these filters').waitFor();
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
  assert.ok(from && from === to, `${from} – ${to}`);
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Any time');
  await page.getByText(`1–${AMOUNTS.length} of ${AMOUNTS.length} transactions`).waitFor();
  await page.getByLabel('From', { exact: true }).fill('31/12/2019');
  await page.getByLabel('From', { exact: true }).press('Enter');
  await page.waitForURL(/from=2019-12-31/);
  assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), '31 Dec 2019');
  await window.check('a list with a party and a period');
  await shoot(page, 'lists-filters-1280');
});

test('a user chooses the columns, also for the next visit', async () => {
  await window.go('/transactions');
  const header = page.getByRole('columnheader', { name: 'Reference' });
  await header.waitFor();
  await window.button('Columns').click();
  await page.getByRole('menuitemcheckbox', { name: 'Reference' }).click();
  await header.waitFor({ state: 'detached' });
  await window.checkOpened('the columns');
  await shoot(page, 'lists-columns-1280');
  await page.reload();
  await page.getByRole('columnheader', { name: 'Paid by' }).waitFor();
  assert.equal(await header.count(), 0);
  await window.button('Columns').click();
  await page.getByRole('menuitem', { name: 'The usual columns' }).click();
  await header.waitFor();
});

test('a header sorts where the service sorts', async () => {
  await window.go('/alerts?view=all');
  await rowLinks().nth(1).waitFor();
  const first = () => rowLinks().first().innerText();
  assert.match(await first(), /The second report/);
  const due = page.getByRole('columnheader', { name: 'Due' });
  await due.getByRole('button').click();
  await page.waitForURL(/sort=due_at/);
  assert.equal(await due.getAttribute('aria-sort'), 'ascending');
  await page.getByRole('columnheader', { name: 'Raised' }).getByRole('button').click();
  await page.waitForURL(/sort=newest/);
  await window.check('a sorted list');
});

test('open cases begin with the one that is due first; a header changes the order', async () => {
  const opener = await staffToken(kissi, 'support_user');
  for (const description of ['The first report.', 'The second report.']) {
    const body = { kind: 'agent', subscriber_id: payee, description };
    assertStatus(await kissi.call('POST', '/api/v1/cases', { token: opener, body }), 201);
  }
  await window.go('/cases');
  await rowLinks().nth(1).waitFor();
  assert.match(await rowLinks().first().innerText(), /The first report/);
  const due = page.getByRole('columnheader', { name: 'Due' });
  assert.equal(await due.getAttribute('aria-sort'), 'ascending');
  await page.getByRole('columnheader', { name: 'Opened' }).getByRole('button').click();
  await page.waitForURL(/sort=newest/);
  await rowLinks().first().filter({ hasText: 'The second report' }).waitFor();
  assert.equal(await due.getAttribute('aria-sort'), 'none');
});

test('on a phone the cards are links too', async () => {
  const phone = await openConsole(browser, kissi.url, staff, { width: 360 });
  await phone.go('/transactions');
  await rowLinks(phone.page).nth(5).waitFor();
  const second = await rowLinks(phone.page).nth(1).getAttribute('data-row');
  await phone.page
    .getByRole('listitem')
    .filter({ has: phone.page.locator(`a[data-row="${second}"]`) })
    .click();
  await phone.page.getByText('How the money moved').waitFor();
  await phone.page.goBack();
  await phone.page.locator(`a[data-row="${second}"]:focus`).waitFor();
  await phone.page.getByRole('button', { name: 'Filters' }).click();
  await phone.page.getByRole('combobox', { name: 'Period' }).waitFor();
  await phone.check('a list on a phone');
  await shoot(phone.page, 'lists-360');
  await phone.close();
});
