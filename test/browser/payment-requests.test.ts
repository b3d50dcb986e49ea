// A payment request from its page to its receipt, in a real browser: the payer confirms on their own phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { confirm, decline, LAB, shopOf } from '../support/payment-requests.ts';
import { messageTo } from '../support/staff.ts';
import { browserForFile } from './chromium.ts';
import { openPage, PHONE_WIDTH } from './page.ts';

const { kissi, bank } = await bankForFile({ env: { ...LAB, USSD_SERVICE_CODE: '*715#' } });
const shop = await shopOf(kissi);
const browser = await browserForFile();

const pageOf = ({ url }: { url: string }) => kissi.url + new URL(url).pathname;
const VIEW = { width: PHONE_WIDTH, movesTime: true };

test('a payer enters the number, gets the request there, pays, and sees the receipt', async () => {
  const payer = await bank.wallet(50_000);
  const request = await shop.asked();
  const { page, errors, close } = await openPage(browser, pageOf(request), VIEW);
  await page.getByRole('heading', { name: `${request.payee_name} asks you to pay` }).waitFor();
  await page.getByText('SLE 100.00').waitFor();
  assert.equal(await page.getByRole('link', { name: request.ussd }).count(), 1);
  await page.getByLabel('Your mobile number').fill(payer.phone);
  await page.getByRole('button', { name: 'Send to my phone' }).click();
  await page.getByText('Sent. Look at that phone').waitFor();
  assert.match((await messageTo(kissi, payer.phone)).text, /You will PAY/);
  assertStatus(await confirm(kissi, request.id, payer.id), 200);
  await page.clock.runFor(5_000);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  assert.match((await page.getByRole('status').textContent()) ?? '', /has received the money/);
  await page.getByRole('link', { name: 'Open the receipt' }).click();
  await page.getByRole('heading', { name: 'Receipt: Payment' }).waitFor();
  await page.getByText('Aminata K.').waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('a request that is declined, cancelled or too old says so on its open page', async () => {
  const payer = await bank.wallet(50_000);
  const ends: [string, (id: string) => Promise<unknown>][] = [
    ['Declined', async (id) => assertStatus(await decline(kissi, id, payer.id), 200)],
    ['Cancelled', async (id) => assertStatus(await shop.send('POST', `/payment-requests/${id}/cancel`), 200)],
    ['Too late', async () => kissi.clock.advance(3_601_000)],
  ];
  for (const [heading, end] of ends) {
    const request = await shop.asked({ payer_phone: payer.phone });
    const { page, close } = await openPage(browser, pageOf(request), VIEW);
    await end(request.id);
    await page.clock.runFor(5_000);
    await page.getByRole('heading', { name: heading }).waitFor();
    await close();
  }
});

test('a link that many can pay stays open and shows nobody the payments of others', async () => {
  const payer = await bank.wallet(50_000);
  const request = await shop.asked({ amount: null, single_use: false });
  assertStatus(await confirm(kissi, request.id, payer.id, { amount: 5_000 }), 200);
  const { page, close } = await openPage(browser, pageOf(request), VIEW);
  await page.getByText('You choose the amount').waitFor();
  assert.doesNotMatch(await page.content(), /Aminata|txn_|\/r\//);
  await close();
});
