// What staff see of payment requests: on the merchant, on the customer, and with the exact reason why one was refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { confirm, LAB, shopOf } from '../../support/payment-requests.ts';
import { staffMember } from '../../support/staff.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile({ env: { ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true' } });

async function shoot(page: Page, name: string) {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${SHOTS}/${name}-${width}-light.png`, fullPage: true });
  }
}

test('staff find a request on the merchant and on the customer, see why it was refused, and cancel it', async () => {
  const shop = await shopOf(kissi);
  const payer = await bank.wallet(100);
  const { id } = await shop.asked({ amount: 12_500, payer_phone: payer.phone, description: 'Order 77' });
  assert.equal((await confirm(kissi, id, payer.id)).status, 402);
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'support_user'));
  await go(`/customers/${payer.id}`);
  await page.getByText('Requests', { exact: true }).click();
  await page.getByText('Sent to the customer').waitFor();
  await page.getByRole('link', { name: 'Order 77' }).or(page.getByText('Order 77')).first().waitFor();
  await check('the requests of a customer');
  await shoot(page, 'staff-customer');
  await page.setViewportSize({ width: 360, height: 800 });
  await check('the requests of a customer on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await go(`/merchants/${shop.merchant.id}?tab=requests`);
  await page.getByText('Order 77').click();
  await page.getByText('INSUFFICIENT_BALANCE').waitFor();
  await check('a request');
  await shoot(page, 'staff-request');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('#main').getByRole('button', { name: 'Cancel the request' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the request' }).click();
  await page.getByText('The request is cancelled.').waitFor();
  assert.equal((await shop.read(id)).status, 'cancelled');
  await close();
});

test("an administrator sees a merchant's endpoints and deliveries, and its merchant number", async () => {
  const shop = await shopOf(kissi);
  const server = await receiver();
  const events = ['payment_request.cancelled'];
  assert.equal((await shop.send('POST', '/webhook-endpoints', { url: server.url, events })).status, 201);
  const { id } = await shop.asked();
  assert.equal((await shop.send('POST', `/payment-requests/${id}/cancel`)).status, 200);
  const { page, go, check, close } = await openConsole(browser, kissi.url, await staffMember(kissi, 'system_admin'));
  await go(`/merchants/${shop.merchant.id}?tab=webhooks`);
  await page.getByText(server.url).waitFor();
  await page.getByText(id).waitFor();
  await page.getByRole('button', { name: 'Poster (PDF)', exact: true }).waitFor();
  await check('the webhooks of a merchant');
  await shoot(page, 'staff-webhooks');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByText(id).click();
  await page.getByText('Signature valid').waitFor();
  await check('a delivery to a merchant');
  await shoot(page, 'staff-delivery');
  await close();
  await server.close();
});
