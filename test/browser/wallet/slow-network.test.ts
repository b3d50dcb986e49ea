// How long the wallet takes over slow networks, as the decision record has it. The times are printed, not tested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { loginCode } from '../../support/customers.ts';
import { PIN } from '../../support/money.ts';
import { newContext } from '../windows.ts';
import { walletsForFile, walletUrl } from './wallet.ts';

const { kissi, bank, browser } = await walletsForFile();

/** Round trip in milliseconds, and kilobits per second down and up. */
const NETWORKS = { GPRS: [500, 50, 20], '2G (EDGE)': [300, 250, 50], '3G': [100, 750, 250] } as const;
/** With brotli, which every browser of a phone accepts. */
const FIRST_VISIT_BYTES = 40_000;

async function slowPage(
  context: BrowserContext,
  [latency, down, up]: readonly [number, number, number],
): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 740 });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const rates = { downloadThroughput: (down * 1_000) / 8, uploadThroughput: (up * 1_000) / 8 };
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, ...rates });
  return page;
}

for (const [name, network] of Object.entries(NETWORKS)) {
  test(`over ${name}, a customer logs in, comes back and pays`, async (t) => {
    const timed = async (what: string, task: () => Promise<unknown>) => {
      const begun = performance.now();
      await task();
      t.diagnostic(`${name}: ${what} ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    };
    const [wallet, other] = [await bank.wallet(500_000), await bank.wallet()];
    const context = await newContext(browser);
    const first = await slowPage(context, network);
    const submit = (page: Page) => page.locator('button[type=submit]').click();
    let bytes = 0;
    first.on('requestfinished', async (request) => {
      bytes += (await request.sizes().catch(() => null))?.responseBodySize ?? 0;
    });
    await timed('the first visit, until it asks for the number', async () => {
      await first.goto(walletUrl(kissi), { waitUntil: 'commit' });
      await first.getByLabel('Your mobile number').waitFor();
    });
    assert.ok(bytes > 20_000 && bytes <= FIRST_VISIT_BYTES, `${bytes} bytes`);
    await first.getByLabel('Your mobile number').fill(wallet.phone);
    await submit(first);
    await first.getByLabel('Code', { exact: true }).fill(await loginCodeOf(first, wallet.phone));
    await first.getByLabel('Your PIN').fill(PIN);
    await timed('from the PIN to the home screen', async () => {
      await submit(first);
      await first.locator('.row .came').waitFor();
    });
    await first.evaluate('navigator.serviceWorker.ready');
    await first.close();

    const later = await slowPage(context, network);
    await timed('a later visit, until it asks for the PIN', async () => {
      await later.goto(walletUrl(kissi), { waitUntil: 'commit' });
      await later.getByLabel('Your PIN').waitFor();
    });
    await later.getByLabel('Your PIN').fill(PIN);
    await submit(later);
    await later.getByRole('link', { name: 'Send', exact: true }).click();
    await later.getByLabel('To whom?').fill(other.phone);
    await submit(later);
    await later.getByLabel('Amount').fill('5');
    await timed('from the amount to the name and the fee', async () => {
      await submit(later);
      await later.getByLabel('Your PIN').waitFor();
    });
    await later.getByLabel('Your PIN').fill(PIN);
    await timed('from the PIN to the result', async () => {
      await submit(later);
      await later.locator('.big.done').waitFor();
    });
    await context.close();
  });
}

/** Once the page asks for it, the code was sent. */
async function loginCodeOf(page: Page, phone: string): Promise<string> {
  await page.getByLabel('Code', { exact: true }).waitFor();
  return loginCode(kissi, phone);
}
