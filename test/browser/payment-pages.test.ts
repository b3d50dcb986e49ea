// The payment page and the receipt in a real browser: phone and desktop, light and dark, with and without scripts.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { payableStandIn } from '../support/payable.ts';
import { terminalOf } from '../support/terminal.ts';
import { browserForFile } from './chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, PHONE_WIDTH } from './page.ts';

// Stands for the payment requests of the service.
const payable = payableStandIn();
const { kissi, bank } = await bankForFile({
  payable,
  env: { PUBLIC_ORIGIN: 'https://pay.operator.test', OPERATOR_NAME: 'Leone Pay' },
});
const terminal = await terminalOf(kissi);
const browser = await browserForFile();
let transaction = '';
let receipt = '';
before(async () => {
  const { card } = await bank.customer(200_000);
  transaction = assertStatus(await terminal.pay(card, { amount: 125_000 }), 200).json.transaction_id;
  const details = assertStatus(await kissi.asAdmin.get(`/transactions/${transaction}`), 200).json.transaction;
  receipt = new URL(details.receipt_url).pathname;
});

const VIEWS = [
  { width: PHONE_WIDTH, dark: false },
  { width: PHONE_WIDTH, dark: true },
  { width: 1280, dark: false },
  { width: 1280, dark: true },
];
const labelOf = ({ width, dark }: { width: number; dark: boolean }) => `${width} pixels, ${dark ? 'dark' : 'light'}`;

/** Origins of all requests of the page. */
function watchOrigins(page: Page): Set<string> {
  const origins = new Set<string>();
  page.on('request', (request) => void origins.add(new URL(request.url()).origin));
  return origins;
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Each with the name of its picture. */
const PAGES: Record<string, () => string> = {
  open: () => `/pay/${payable.ask()}`,
  'open-in-krio': () => `/pay/${payable.ask()}?lang=kri`,
  sent: () => `/pay/${payable.ask()}?sent=1`,
  'any-amount': () => `/pay/${payable.ask({ amount: null, single_use: false, reference: null, ussd: null })}`,
  paid: () => `/pay/${payable.ask({ status: 'paid', transaction_ids: [transaction] })}`,
  declined: () => `/pay/${payable.ask({ status: 'declined' })}`,
  expired: () => `/pay/${payable.ask({ status: 'expired' })}?lang=kri`,
  cancelled: () => `/pay/${payable.ask({ status: 'cancelled', return_url: null })}`,
  unknown: () => '/pay/unknown',
  receipt: () => receipt,
  'receipt-in-krio': () => `${receipt}?lang=kri`,
  'receipt-unknown': () => '/r/unknown',
};

describe('every state of the public pages', () => {
  for (const [name, pathOf] of Object.entries(PAGES)) {
    test(`${name}: accessible, fitting, without an error and without another origin`, async () => {
      for (const view of VIEWS) {
        const { page, errors, close } = await openPage(browser, `${kissi.url}/health`, view);
        const origins = watchOrigins(page);
        await page.goto(kissi.url + pathOf(), { waitUntil: 'load' });
        await assertAccessible(page, `${name}, ${labelOf(view)}`);
        await assertFitsWidth(page, `${name}, ${labelOf(view)}`);
        const unknown = name.endsWith('unknown');
        assert.deepEqual(
          errors.filter((error) => !(unknown && error.includes('404'))),
          [],
          name,
        );
        assert.deepEqual([...origins], [kissi.url]);
        await picture(page, `${name}-${view.width}-${view.dark ? 'dark' : 'light'}`);
        await close();
      }
    });
  }
});

describe('a payer', () => {
  test('enters the number, is told that it was sent, and hears when it is paid', async () => {
    const token = payable.ask();
    const { page, errors, close } = await openPage(browser, `${kissi.url}/pay/${token}`, {
      width: PHONE_WIDTH,
      movesTime: true,
    });
    await page.getByLabel('Your mobile number').fill('076 123 456');
    await page.getByRole('button', { name: 'Send to my phone' }).click();
    await page.getByText('Sent. Look at that phone').waitFor();
    assert.equal(payable.notices.at(-1)?.phone, '+23276123456');
    assert.equal(new URL(page.url()).pathname, `/pay/${token}`);
    payable.become(token, { status: 'paid', transaction_ids: [transaction] });
    const announced = page.getByRole('status');
    await page.clock.runFor(5_000);
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    assert.equal(await announced.textContent(), 'Paid. Lumley Beach Grill has received the money.');
    assert.equal(await announced.getAttribute('aria-live'), 'polite');
    assert.match(await page.title(), /^Paid: SLE 1,250.00$/);
    const back = page.getByRole('link', { name: 'Back to shop.example' });
    assert.match((await back.getAttribute('href')) ?? '', /[?&]payment_request_id=prq_/);
    await page.getByRole('link', { name: 'Open the receipt' }).click();
    await page.getByRole('heading', { name: 'Receipt: Payment' }).waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  test('whose connection fails learns the result once it is back', async () => {
    const token = payable.ask();
    const { page, close } = await openPage(browser, `${kissi.url}/pay/${token}`, {
      width: PHONE_WIDTH,
      movesTime: true,
    });
    await page.context().setOffline(true);
    payable.become(token, { status: 'declined' });
    await page.clock.runFor(120_000);
    assert.equal(await page.getByRole('heading', { name: 'Declined' }).count(), 0);
    await page.context().setOffline(false);
    await page.clock.runFor(1_000);
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    await close();
  });

  test('asks less and less often, and no more after the end', async () => {
    const token = payable.ask();
    const { page, close } = await openPage(browser, `${kissi.url}/health`, { width: PHONE_WIDTH, movesTime: true });
    let asked = 0;
    page.on('response', (response) => void (response.url().includes(token) && asked++));
    await page.goto(`${kissi.url}/pay/${token}`);
    for (let second = 0; second < 600; second += 5) {
      await page.clock.runFor(5_000);
      await page.evaluate('fetch("/icon.svg")');
    }
    assert.ok(asked > 10 && asked < 30, `${asked} requests in ten minutes`);
    payable.become(token, { status: 'expired' });
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'Too late' }).waitFor();
    asked = 0;
    await page.clock.runFor(300_000);
    await page.evaluate('fetch("/icon.svg")');
    assert.equal(asked, 0);
    await close();
  });

  test('without scripts sends the number, sees a fault beside it, and checks by a link', async () => {
    const token = payable.ask();
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: PHONE_WIDTH, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(`${kissi.url}/pay/${token}`);
    await page.getByLabel('Your mobile number').fill('076 12 34');
    await page.getByRole('button', { name: 'Send to my phone' }).click();
    await page.getByText('This is not a mobile number. Example').waitFor();
    await picture(page, 'fault-360-light');
    const field = page.getByLabel('Your mobile number');
    assert.equal(await field.inputValue(), '076 12 34');
    await field.fill('076 123 456');
    await page.getByRole('button', { name: 'Send to my phone' }).click();
    await page.getByText('Sent. Look at that phone').waitFor();
    payable.become(token, { status: 'paid', transaction_ids: [transaction] });
    await page.getByRole('link', { name: 'Check whether it is paid' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await context.close();
  });

  test('changes the language and keeps it', async () => {
    const { page, close } = await openPage(browser, `${kissi.url}/pay/${payable.ask()}`, { width: PHONE_WIDTH });
    await page.getByRole('link', { name: 'Krio' }).click();
    await page.getByRole('heading', { name: 'Lumley Beach Grill de aks yu fɔ pe' }).waitFor();
    await page.getByLabel('Yu mobayl nɔmba').fill('076 123 456');
    await page.getByRole('button', { name: 'Sɛn am to mi fon' }).click();
    await page.getByText('I dɔn go.').waitFor();
    await close();
  });

  test('finds every control with the keyboard, in the order of the page', async () => {
    const { page, close } = await openPage(browser, `${kissi.url}/pay/${payable.ask({ ussd: '*715*0*0123456789#' })}`, {
      width: PHONE_WIDTH,
    });
    const names: string[] = [];
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('Tab');
      names.push(String(await page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()')));
    }
    assert.deepEqual(names, ['Krio', 'Pay in your web wallet', 'phone', 'Send to my phone', '*715*0*0123456789#']);
    await close();
  });
});
