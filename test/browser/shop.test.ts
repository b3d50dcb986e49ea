// The pages of examples/shop in Chromium: they fit phones and desktops, in both colour schemes, and are accessible.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createApp } from '../../examples/shop/src/app.ts';
import type { Checkout, Outcome } from '../../examples/shop/src/checkout.ts';
import { type Order, openOrders } from '../../examples/shop/src/orders.ts';
import { startChromium } from './chromium.ts';
import { assertAccessible, assertFitsWidth, openPage } from './page.ts';

const orders = openOrders(':memory:');
const RECEIPT = `${'-'.repeat(32)}\n<b>APPROVED</b>`;

/** Approves the PIN 1234; of the others the outcome is unknown, as after a lost connection. */
const checkout: Checkout = {
  async pay(order: Order, { card, pin }): Promise<Outcome> {
    const attempt = orders.attempt(order.id, 'payment', card);
    if (pin !== '1234') return { is: 'unknown', message: 'The payment may have been made.' };
    orders.paid(attempt, { transaction_id: 'txn_1', receipt: RECEIPT });
    return { is: 'done' };
  },
  async refund(order: Order): Promise<Outcome> {
    orders.refunded(orders.attempt(order.id, 'refund', null));
    return { is: 'done' };
  },
  finishRefunds: async () => undefined,
};

const server = createApp({ orders, checkout, demo: { card: 'LAB-0001', pin: '7083' } }).listen(0, '127.0.0.1');
await once(server, 'listening');
const browser = await startChromium();
after(async () => {
  await browser.close();
  server.close();
});

for (const [width, dark] of [
  [360, false],
  [1440, true],
] as const) {
  const view = `${width} pixels, ${dark ? 'dark' : 'light'}`;
  test(`a customer orders, pays after a lost connection and gets a refund (${view})`, async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { page, close } = await openPage(browser, url, { width, dark });
    const check = async (name: string) => {
      await assertFitsWidth(page, name);
      await assertAccessible(page, name);
    };
    await check('goods');
    await page.getByRole('button', { name: 'Buy Country cloth' }).click();
    await check('order');
    await page.getByLabel('Card number').fill('LAB-0001');
    await page.getByLabel('PIN').fill('0000');
    await page.getByRole('button', { name: 'Pay 180.00 SLE' }).click();
    assert.equal(await page.getByRole('alert').innerText(), 'The payment may have been made.');
    assert.equal(await page.getByLabel('Card number').isEditable(), false);
    assert.equal(await page.getByLabel('Card number').inputValue(), 'LAB-0001');
    await check('unknown payment');
    await page.getByLabel('PIN').fill('1234');
    await page.getByRole('button', { name: 'Pay 180.00 SLE' }).click();
    assert.equal(await page.getByLabel('Receipt').textContent(), RECEIPT, 'shown as text');
    await check('receipt');
    await page.getByRole('button', { name: 'Refund' }).click();
    assert.equal(await page.getByRole('status').innerText(), 'Refunded.');
    await close();
  });
}
