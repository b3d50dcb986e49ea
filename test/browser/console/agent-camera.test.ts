// An agent's camera reads the customer's QR code, is off afterwards, and is not needed where it cannot be used.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { floatOf, newFundedAgent } from '../../support/agents.ts';
import { addDetector, chromiumFilming, hasFilmed } from '../camera.ts';
import { consoleForFile, openConsole } from './console.ts';

const { kissi, bank, browser } = await consoleForFile();

async function filming(text: string): Promise<Browser> {
  const film = await chromiumFilming(text, join(tmpdir(), `kissi-film-${process.pid}.y4m`));
  after(() => film.close());
  return film;
}

/** The screen of a payment, in a browser that can read codes. */
async function openCashIn(chromium: Browser) {
  const agent = await newFundedAgent(kissi, 100_000);
  const opened = await openConsole(chromium, kissi.url, agent, { width: 360 });
  const { page } = opened;
  await addDetector(page);
  await page.reload();
  await page.getByText('SLE 1,000.00').first().waitFor();
  await opened.go('/agent/cash-in');
  return { ...opened, agent, field: page.getByLabel("Customer's phone or card number") };
}

test("a customer is found by the QR code of the phone number, and the camera doesn't film on", async () => {
  const wallet = await bank.wallet(0, { first_name: 'Kadiatu', last_name: 'Turay' });
  const { page, agent, field, check, close } = await openCashIn(await filming(`kissi:${wallet.phone}`));
  await page.getByRole('button', { name: 'Scan a QR code' }).click();
  await page.getByText('Kadiatu').waitFor();
  assert.equal(await field.inputValue(), wallet.phone);
  await hasFilmed(page);
  assert.equal(await page.locator('video').count(), 0);
  await check('a customer found by the camera');

  await page.getByRole('textbox', { name: 'Amount' }).fill('50');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Your PIN').fill(agent.pin);
  await page.getByRole('button', { name: 'Pay in', exact: true }).click();
  await page.getByText('Paid in').waitFor();
  assert.deepEqual([await bank.balance(wallet.id), await floatOf(kissi, agent)], [5_000, 94_975]);
  await close();
});

test('where no camera can be used, the screen says so and the number is typed', async () => {
  const { page, field, errors, check, close } = await openCashIn(browser);
  await page.getByRole('button', { name: 'Scan a QR code' }).click();
  await page.getByText('The camera cannot be used. Type the number instead.').waitFor();
  assert.equal(await page.locator('video').count(), 0);
  const wallet = await bank.wallet(0, { first_name: 'Kadiatu', last_name: 'Turay' });
  await field.fill(wallet.phone);
  await page.getByText('Kadiatu').waitFor();
  errors.splice(0);
  await check('a camera that cannot be used');
  await close();
});

test('a code that is no number and no card is not sent to the service', async () => {
  const { page, field, close } = await openCashIn(await filming('https://evil.example/?customer=1'));
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().includes('/search') && asked.push(request.url())));
  await page.getByRole('button', { name: 'Scan a QR code' }).click();
  await hasFilmed(page);
  await page.getByRole('button', { name: 'Scan a QR code' }).waitFor();
  assert.deepEqual([await field.inputValue(), asked], ['', []]);
  await close();
});
