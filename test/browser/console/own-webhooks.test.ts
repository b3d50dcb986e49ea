// A merchant sets up a webhook endpoint on a phone: its secret is shown once, and deliveries can be looked into and sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { confirm, LAB, shopOf } from '../../support/payment-requests.ts';
import { type Merchant, messageTo, newMerchant } from '../../support/processors.ts';
import { auditLogs } from '../../support/staff.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { consoleForFile, openConsole } from './console.ts';

const PHONE = { width: 360 };

const { kissi, bank, browser } = await consoleForFile({ env: { ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true' } });

const press = (page: Page, name: string) => page.locator('#main').getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

async function openShop({ email, phone }: Merchant) {
  const password = /^Temporary password: (.+)$/m.exec((await messageTo(kissi, phone)).text)?.[1] ?? '';
  return openConsole(browser, kissi.url, { email, password }, PHONE);
}

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: width === 360 ? 800 : 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 360, height: 900 });
}

test('a merchant creates an endpoint, sees its secret once and its deliveries, and deletes it', async () => {
  const shop = await shopOf(kissi);
  const payer = await bank.wallet(50_000);
  const server = await receiver();
  const { page, go, check, close } = await openShop(shop.merchant);
  await go('/shop/webhooks');
  await page.getByText('No endpoints yet').waitFor();
  await check('no endpoints');
  await press(page, 'New endpoint');
  await field(page, 'Address (URL)').fill(server.url);
  await page.getByRole('checkbox', { name: 'A payment was made' }).uncheck();
  await check('a new endpoint');
  await shoot(page, 'new-endpoint');
  await press(page, 'Create the endpoint');
  const dialog = page.getByRole('dialog', { name: "The endpoint's secret" });
  await dialog.waitFor();
  const secret = (await dialog.locator('dd').innerText()).trim();
  assert.match(secret, /^whsec_/);
  await check('the secret of an endpoint');
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByText(server.url).first().waitFor();
  assert.equal((await page.content()).includes(secret), false, 'it is shown once');

  await press(page, `Edit ${server.url}`);
  const url = `${server.url}&shop=2`;
  await field(page, 'Address (URL)').fill(url);
  await page.getByRole('checkbox', { name: 'A payment was refunded' }).uncheck();
  await press(page, 'Save');
  await page.getByText('The endpoint was changed.').waitFor();
  const { webhook_endpoints: stored } = (await shop.send('GET', '/webhook-endpoints')).json;
  assert.deepEqual([stored[0].url, stored[0].events], [url, ['payment_request.paid']]);
  await press(page, `Test ${url}`);
  await page.getByText('A test event is on its way.').waitFor();

  const { id } = await shop.asked({ amount: 900 });
  assert.equal((await confirm(kissi, id, payer.id)).status, 200);
  await page.getByText('payment_request.paid', { exact: true }).click({ timeout: 60_000 });
  await page.getByText('Signature valid').waitFor({ timeout: 60_000 });
  await check('a delivery');
  await shoot(page, 'webhooks');
  await press(page, 'Send again');
  await page.getByText('The event is sent again.').waitFor();

  await press(page, `New secret for ${url}`);
  await check('before a new secret');
  await press(page, 'Rotate the secret');
  const rotated = page.getByRole('dialog', { name: "The endpoint's secret" });
  await rotated.waitFor();
  assert.notEqual((await rotated.locator('dd').innerText()).trim(), secret);
  await rotated.getByRole('button', { name: 'I have copied it' }).click();
  await press(page, `Delete ${url}`);
  await check('before an endpoint is deleted');
  await press(page, 'Delete');
  await page.getByText('No endpoints yet').waitFor();
  for (const action of ['create', 'update', 'test', 'rotate_secret', 'delete']) {
    assert.equal((await auditLogs(kissi, { action: `webhook_endpoint.${action}`, limit: '10' })).length, 1, action);
  }
  await close();
  await server.close();
});

test('the merchant number is on the first screen, and its poster can be downloaded', async () => {
  const merchant = await newMerchant(kissi);
  const { json } = await kissi.asAdmin.get(`/processors/${merchant.id}`);
  const number: string = json.processor.merchant_number;
  const { page, go, check, close } = await openShop(merchant);
  await page.getByText(`number ${number}`).waitFor();
  await go('/shop/terminals');
  await page.getByText(number).waitFor();
  await check('the QR code of a merchant');
  await shoot(page, 'terminals');
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Poster (PDF)')]);
  assert.equal(file.suggestedFilename(), `poster-${number}.pdf`);
  await close();
});
