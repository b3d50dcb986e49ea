// The shop of examples/ in Chromium: from its goods to Kissi's payment page and back, with real requests and webhooks.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { Kissi } from '@kissi/client';
import type { Page } from 'playwright-core';
import { createApp } from '../../examples/shop/src/app.ts';
import { createCheckout } from '../../examples/shop/src/checkout.ts';
import { openOrders } from '../../examples/shop/src/orders.ts';
import { createReceive } from '../../examples/shop/src/webhooks.ts';
import { LAB_PIN, LAB_SUBSCRIBERS } from '../../src/features/lab/effects.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { assertStatus } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { confirm, LAB, shopOf } from '../support/payment-requests.ts';
import { directPayments } from '../support/processors.ts';
import { runChore } from '../support/staff.ts';
import { browserForFile } from './chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, PHONE_WIDTH } from './page.ts';

// Webhooks carry the time at which they are signed, and the shop compares it with the machine's.
let ahead = 0;
const clock = {
  now: () => Date.now() + ahead,
  advance: (ms: number) => {
    ahead += ms;
  },
  set: () => undefined,
};

// The links of payment requests name an address before the gateway has one.
let gatewayPort = 0;
const pages = createServer((socket) => {
  const upstream = connect(gatewayPort, '127.0.0.1');
  for (const end of [socket, upstream]) end.on('error', () => void [socket.destroy(), upstream.destroy()]);
  socket.pipe(upstream).pipe(socket);
}).listen(0, '127.0.0.1');
await once(pages, 'listening');
const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;

const { kissi, bank } = await bankForFile({
  clock,
  env: { ...LAB, WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_ORIGIN: origin },
});
gatewayPort = Number(new URL(kissi.url).port);
await kissi.gateway.services.lab?.prepare();
const payer = await labCustomer();
const merchant = await directPayments(kissi, bank).fundedMerchant(100_000);
const { key, send } = await shopOf(kissi, merchant);

const orders = openOrders(':memory:');
const received: string[] = [];
/** False: as if no webhook reached the shop. */
let getsWebhooks = true;
const { url, close: closeShop } = await startShop();
const browser = await browserForFile();
after(async () => {
  closeShop();
  pages.close();
});

async function labCustomer(): Promise<string> {
  const { rows } = await kissi.db.query('select id from subscribers where phone_number = $1', [
    LAB_SUBSCRIBERS[0]?.phone,
  ]);
  const wallet = { id: String(rows[0]?.id), phone: LAB_SUBSCRIBERS[0]?.phone ?? '' };
  await bank.fund(wallet, 500_000);
  return wallet.id;
}

/** On a port of its own, with the merchant's return host and webhook endpoint. */
async function startShop() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server.close(), 'close');
  assertStatus(await kissi.asAdmin.post(`/processors/${merchant.id}/return-hosts`, { return_hosts: [host] }), 200);
  const events = ['paid', 'declined', 'expired', 'cancelled'].map((outcome) => `payment_request.${outcome}`);
  const endpoint = await send('POST', '/webhook-endpoints', { url: `http://${host}/webhooks`, events });
  const secret = String(assertStatus(endpoint, 201).json.secret);
  const time = { now: clock.now, wait: async () => undefined };
  const client = new Kissi({ baseUrl: kissi.url, keyId: key.id, secret: key.secret, time });
  const shopUrl = `http://${host}`;
  const checkout = createCheckout({ kissi: client, processorId: merchant.id, shopUrl, orders });
  const verify = createReceive({ checkout, secrets: [secret] });
  const app = createApp({
    ...{ orders, checkout },
    async receive(delivery) {
      if (!getsWebhooks) return 401;
      const status = await verify(delivery);
      const { type, data } = JSON.parse(Buffer.from(delivery.body).toString());
      received.push(`${type} ${data.object.id} ${status}`);
      return status;
    },
  }).listen(Number(new URL(shopUrl).port), '127.0.0.1');
  await once(app, 'listening');
  return { url: shopUrl, close: () => void app.close() };
}

async function deliver(): Promise<void> {
  await runChore(kissi, 'deliver webhooks');
  await kissi.gateway.services.webhooks.settled();
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/shop-${name}.png`, fullPage: true });
}

/** The payment request that the page shows, by the order that the shop stored. */
async function newestRequest(): Promise<string> {
  const { rows } = await kissi.db.query('select id from payment_requests order by id desc limit 1');
  return String(rows[0]?.id);
}
const orderOf = (request: string) => orders.findByRequest(request) ?? assert.fail('no order');

for (const [width, dark] of [
  [PHONE_WIDTH, false],
  [1440, true],
] as const) {
  const view = `${width} pixels, ${dark ? 'dark' : 'light'}`;

  async function visit(item: string) {
    const opened = await openPage(browser, url, { width, dark, movesTime: true });
    const { page } = opened;
    const check = async (name: string) => {
      await assertFitsWidth(page, name);
      await assertAccessible(page, name);
      await picture(page, `${name}-${width}`);
    };
    await check('goods');
    await page.getByRole('button', { name: `Buy ${item}` }).click();
    await page.waitForURL(`${origin}/pay/**`);
    return { ...opened, check, request: await newestRequest() };
  }
  const status = (page: Page) => page.getByRole('status').innerText();

  test(`a customer buys, confirms on the phone, returns to a paid order, and gets a refund (${view})`, async () => {
    const { page, errors, check, request, close } = await visit('Country cloth');
    await page.getByRole('heading', { name: /asks you to pay/ }).waitFor();
    await page.getByText('SLE 180.00').waitFor();
    await check('payment-page');
    assertStatus(await confirm(kissi, request, payer, { pin: LAB_PIN }), 200);
    await deliver();
    const about = received.filter((each) => each.includes(request));
    assert.deepEqual(about, [`payment_request.paid ${request} 200`]);
    assert.equal(orderOf(request).status, 'paid', 'by the webhook alone');
    await page.clock.runFor(5_000);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await check('payment-page-paid');
    await page.getByRole('link', { name: /^Back to 127/ }).click();
    await page.waitForURL(`${url}/orders/*`);
    assert.match(await status(page), /^Paid\. Thank you!/);
    await check('paid');
    assert.doesNotMatch(await page.content(), /PIN|card number/i, 'the shop asks for neither');
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Refunded. The money').waitFor();
    await check('refunded');
    assert.deepEqual(errors, []);
    await close();
  });

  test(`without webhooks, the lab's goods are paid slowly, declined, or expire, and the order says so (${view})`, async () => {
    getsWebhooks = false;
    for (const [item, heading, says] of [
      ['Rice cooker', 'Paid', /^Paid\./],
      ['Radio', 'Declined', /^The payment was declined/],
      ['Umbrella', 'Too late', /^The time to pay is over/],
    ] as const) {
      const { page, check, request, close } = await visit(item);
      clock.advance(20 * SECOND_MS);
      await runChore(kissi, 'run the lab');
      await page.clock.runFor(5_000);
      await page.getByRole('heading', { name: heading }).waitFor();
      assert.equal(orderOf(request).status, 'pending');
      await page.getByRole('link', { name: /^Back to 127/ }).click();
      await page.waitForURL(`${url}/orders/*`);
      assert.match(await status(page), says, 'the shop asked Kissi when the customer returned');
      await check(item.split(' ')[0]?.toLowerCase() ?? '');
      await close();
    }
    getsWebhooks = true;
  });
}

test('a customer who comes back without paying can go on, and pays one request', async () => {
  const { page, close } = await openPage(browser, url, { width: PHONE_WIDTH });
  await page.getByRole('button', { name: 'Buy Basket of mangoes' }).click();
  await page.waitForURL(`${origin}/pay/**`);
  const [request, first] = [await newestRequest(), page.url()];
  await page.goto(`${url}/return?payment_request_id=${request}`);
  assert.equal(await page.getByRole('status').innerText(), 'Waiting for your payment.');
  await assertAccessible(page, 'pending');
  await picture(page, 'pending-360');
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await page.waitForURL(first);
  await page.goto(`${url}/return?payment_request_id=prq_00000000000000000000000000`);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await close();
});
