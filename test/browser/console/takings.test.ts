// Figures that lead to what they count: a merchant's sales by hour and day, its keys' requests, and the sums of a list.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ADMIN, assertStatus } from '../../support/gateway.ts';
import { balanceOf, type Merchant, messageTo, storeAccount } from '../../support/processors.ts';
import { runChore } from '../../support/staff.ts';
import { type Terminal, terminalOf } from '../../support/terminal.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();
let terminal: Terminal;
let password = '';

async function openShop({ email, phone }: Merchant, width: number) {
  password ||= /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';
  return openConsole(browser, kissi.url, { email, password }, { width });
}

before(async () => {
  terminal = await terminalOf(kissi);
  const { card } = await bank.customer(500_000);
  for (const amount of [20_000, 12_500]) assertStatus(await terminal.pay(card, { amount }), 200);
  await storeAccount(kissi, terminal.merchant.id, 'RCB-778812');
});

test("a merchant sees today's sales by hour, those of 30 days, and pays out after a second look", async () => {
  const { merchant } = terminal;
  const { page, go, check, close } = await openShop(merchant, 360);
  const cells = (name: string, row: string | RegExp) =>
    page.getByRole('table', { name }).getByRole('row', { name: row }).getByRole('cell').allInnerTexts();
  await page.getByText('Sales by hour. Highest:').waitFor();
  assert.deepEqual(await cells('Sales by hour', '325.00'), ['325.00', '2', '0.00']);
  await check('sales by hour');
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await page.getByText('Sales by day. Highest:').waitFor();
  assert.equal(await page.getByRole('table', { name: 'Sales by day' }).getByRole('row').count(), 31);
  assert.deepEqual(await cells('Sales by day', '325.00'), ['325.00', '2', '0.00']);
  await check('sales by day');

  const balance = await balanceOf(kissi, merchant.id);
  await go('/shop/payouts');
  await page.getByRole('button', { name: 'Pay out to the bank' }).click();
  await page.getByRole('textbox', { name: 'Amount' }).fill('100.50');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Check before you confirm').waitFor();
  for (const said of ['Rokel Commercial Bank', 'Fatu Sesay', 'RCB778812']) {
    await page.locator('dd').getByText(said, { exact: true }).waitFor();
  }
  await page
    .locator('dd')
    .getByText(/^SLE\s100\.50$/)
    .first()
    .waitFor();
  assert.equal(await balanceOf(kissi, merchant.id), balance, 'nothing is paid before the last button');
  await check('confirmation of a pay-out');
  await page.getByRole('button', { name: 'Pay out', exact: true }).click();
  await page.getByText('The pay-out is on its way to the bank').waitFor();
  assert.equal(await balanceOf(kissi, merchant.id), balance - 10_050);
  await close();
});

test('a merchant reads what its own keys asked for', async () => {
  const { merchant } = terminal;
  const own = await terminalOf(kissi, { merchant, keyExtra: { processor_id: merchant.id } });
  const { card } = await bank.customer(50_000);
  assertStatus(await own.pay(card, { amount: 900 }), 200);
  assertStatus(await own.pay(card, { amount: 900_000 }), 402);
  await runChore(kissi, 'write the request log');
  const { page, go, check, close } = await openShop(merchant, 1280);
  await go('/shop/terminals');
  await page
    .getByRole('button', { name: /^Request log of / })
    .first()
    .click();
  await page.getByText('INSUFFICIENT_BALANCE').waitFor();
  assert.equal(await page.getByRole('listitem').filter({ hasText: '/pos/payment' }).count(), 2);
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  await check("a key's request log");
  await close();
});

test('a bar of the overview leads to the list that it counts, with the same figures', async () => {
  const { page, go, check, close } = await openConsole(browser, kissi.url, ADMIN, { width: 1280 });
  await go('/overview');
  await page.getByRole('button', { name: 'Show as a table' }).click();
  const row = page.getByRole('region', { name: 'Payments by day' }).getByRole('row').last();
  const [counted] = await row.getByRole('cell').allInnerTexts();
  await check('the figures of the overview');
  await row.getByRole('link').click();
  const sums = page.getByText(/^In total \d+: SLE/);
  await sums.waitFor();
  assert.match(await sums.innerText(), new RegExp(`^In total ${counted}: SLE`));
  await page.getByText(`of ${counted} transactions`).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('group'), 'payments');
  await check('a list with its sums');
  await page.getByRole('button', { name: /Clear/ }).first().click();
  await sums.waitFor({ state: 'detached' });
  await close();
});
