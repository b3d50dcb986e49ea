// A merchant charges customers on a phone: the screen says when a customer has paid, without being loaded again. And payment links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Json } from '../../support/gateway.ts';
import { confirm, decline, LAB } from '../../support/payment-requests.ts';
import { balanceOf, type Merchant, messageTo, newMerchant } from '../../support/processors.ts';
import { consoleForFile, openConsole } from './console.ts';

const PHONE = { width: 360 };

const { kissi, bank, browser } = await consoleForFile({ env: { ...LAB, USSD_SERVICE_CODE: '*715#' } });

const press = (page: Page, name: string) => page.locator('#main').getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

async function openShop({ email, phone }: Merchant, view = PHONE) {
  const password = /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';
  return openConsole(browser, kissi.url, { email, password }, view);
}

/** Charges an amount from the first screen, and returns the request's id. */
async function charge(page: Page, amount: string): Promise<string> {
  await field(page, 'Amount').fill(amount);
  await page.getByRole('button', { name: /^Charge SLE/ }).click();
  await page.getByRole('status').getByText('Waiting for the customer').waitFor();
  return /prq_\w+/.exec(page.url())?.[0] ?? assert.fail(page.url());
}

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: width === 360 ? 800 : 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: width === 360 });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 360, height: 900 });
}

test('the screen of a charge says Paid when the customer has confirmed', async () => {
  const merchant = await newMerchant(kissi);
  const payer = await bank.wallet(50_000);
  const { page, check, close } = await openShop(merchant);
  await page.getByText('No payments yet today').waitFor();
  await shoot(page, 'home');
  await page.getByRole('link', { name: 'Charge' }).last().click();
  await check('a new charge');
  await field(page, 'Amount').fill('125.50');
  await shoot(page, 'charge');
  const id = await charge(page, '125.50');
  await page.getByRole('img', { name: 'QR code for the customer' }).waitFor();
  await check('a charge that waits');
  await page.setViewportSize({ width: 320, height: 640 });
  await check('a charge on the smallest phone');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await check('a charge in the dark');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: PHONE.width, height: 900 });
  await shoot(page, 'waiting');
  assert.equal((await confirm(kissi, id, payer.id)).status, 200);
  await page.getByRole('status').getByText('Paid', { exact: true }).waitFor();
  assert.equal(await page.getByRole('img', { name: 'QR code for the customer' }).count(), 0);
  await check('a paid charge');
  await page.setViewportSize({ width: 1440, height: 900 });
  await check('a paid charge on a desktop');
  await page.setViewportSize({ width: PHONE.width, height: 900 });
  await shoot(page, 'paid');
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('article', { name: 'Receipt' }).getByText('SLE 125.50').waitFor();
  assert.ok((await balanceOf(kissi, merchant.id)) > 12_000);
  await close();
});

test('a charge whose reply is lost is made once, and what was typed stays', async () => {
  const merchant = await newMerchant(kissi);
  const { page, go, forgetFailures, check, close } = await openShop(merchant);
  await go('/shop/charge');
  await page.route('**/payment-requests', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await field(page, 'Amount').fill('80');
  await press(page, 'Charge SLE 80.00');
  await page.getByText('Sending it again does not charge twice.').waitFor();
  await shoot(page, 'lost');
  await page.unroute('**/payment-requests');
  await press(page, 'Charge SLE 80.00');
  await page.getByRole('status').getByText('Waiting for the customer').waitFor();
  forgetFailures();
  await check('a charge after a lost reply');
  const { json } = await kissi.asAdmin.get(`/payment-requests?processor_id=${merchant.id}`);
  assert.equal(json.total_count, 1);
  await close();
});

test('a declined charge and a cancelled one say so, and lead to the next', async () => {
  const merchant = await newMerchant(kissi);
  const payer = await bank.wallet();
  const { page, go, check, close } = await openShop(merchant);
  await go('/shop/charge');
  // Only the customer who was asked by name can end it for everybody.
  await field(page, "Customer's phone").fill(payer.phone);
  const declined = await charge(page, '20');
  assert.equal((await decline(kissi, declined, payer.id)).status, 200);
  await page.getByRole('status').getByText('The customer declined').waitFor();
  await check('a declined charge');
  await shoot(page, 'declined');
  await page.getByRole('link', { name: 'New charge' }).click();
  await charge(page, '30');
  await press(page, 'Cancel the charge');
  await page.getByRole('status').getByText('You cancelled it').waitFor();
  const { payment_requests } = (await kissi.asAdmin.get(`/payment-requests?processor_id=${merchant.id}`)).json;
  assert.deepEqual(payment_requests.map(({ amount, status }: Json) => [amount, status]).toSorted(), [
    [2_000, 'declined'],
    [3_000, 'cancelled'],
  ]);
  await go('/shop/requests');
  await page.getByRole('link', { name: /30\.00/ }).waitFor();
  await check('the requests');
  await shoot(page, 'requests');
  await page.getByRole('button', { name: 'Declined' }).click();
  await page.getByRole('link', { name: /30\.00/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /20\.00/ }).waitFor();
  await close();
});

test('a link counts payments and their sum until it is cancelled', async () => {
  const merchant = await newMerchant(kissi);
  const payer = await bank.wallet(100_000);
  const { page, go, check, close } = await openShop(merchant);
  await go('/shop/requests');
  await page.getByText('No requests').waitFor();
  await check('no requests');
  await press(page, 'New link');
  await field(page, 'What it is for').fill('School fees, term 1');
  await check('a new link');
  await shoot(page, 'new-link');
  await press(page, 'Make the link');
  await page.getByRole('status').getByText('Nobody has paid yet').waitFor();
  await check('a link');
  const id = /prq_\w+/.exec(page.url())?.[0] ?? '';
  for (const amount of [15_000, 20_000]) {
    assert.equal((await confirm(kissi, id, payer.id, { amount })).status, 200);
  }
  await page.getByRole('status').getByText('2 payments').waitFor();
  await page.getByText('350.00').waitFor();
  await check('a link with payments');
  await shoot(page, 'link');
  await press(page, 'Cancel the link');
  await page.getByText('Nobody can pay with it any more.').waitFor();
  await check('before a link is cancelled');
  await press(page, 'Cancel the link');
  await page.getByRole('status').getByText('You cancelled it').waitFor();
  const { json } = await kissi.asAdmin.get(`/payment-requests/${id}`);
  assert.deepEqual([json.payment_request.status, json.payment_request.payment_count], ['cancelled', 2]);
  await close();
});
