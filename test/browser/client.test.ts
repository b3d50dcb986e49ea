// @kissi/client in a real browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bankForFile } from '../support/money.ts';
import { partnerBank } from '../support/partner.ts';
import { browserForFile } from './chromium.ts';
import { newContext } from './windows.ts';

const { kissi, bank } = await bankForFile();
const browser = await browserForFile();

test('the client signs with WebCrypto in a browser, and reads a list', async () => {
  const partner = await partnerBank(kissi);
  const wallet = await bank.wallet();
  const credited = await partner.cashIn({ phone_number: wallet.phone, amount: 2_500 });
  assert.equal(credited.status, 200, credited.text);
  const context = await newContext(browser);
  const page = await context.newPage();
  await serveClient(page);
  await page.goto(`${kissi.url}/page`);
  const options = { keyId: partner.key.id, partnerId: partner.id, now: kissi.clock.now() };
  assert.deepEqual(await readList(page, { ...options, secret: partner.key.secret }), [2_500]);
  assert.equal(await readList(page, { ...options, secret: 'wrong' }), 'KissiAuthenticationError INVALID_SIGNATURE');
  await context.close();
});

const IMPORTS = { imports: { '@kissi/signatures': '/signatures/index.ts' } };
const IMPORT_MAP = `<script type="importmap">${JSON.stringify(IMPORTS)}</script>`;

/** Browsers need JavaScript: the sources without their types, at the origin of the service. */
async function serveClient(page: Page): Promise<void> {
  await page.route('**/page', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html>${IMPORT_MAP}` }),
  );
  await page.route(/\/(client|signatures)\//, async (route) => {
    const [, name, path] = /^\/(\w+)\/(.+)$/.exec(new URL(route.request().url()).pathname) ?? [];
    const source = await readFile(new URL(`../../packages/${name}/src/${path}`, import.meta.url), 'utf8');
    await route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) });
  });
}

/** The amounts, or the error. Runs in the page. */
function readList(page: Page, options: { keyId: string; secret: string; partnerId: string; now: number }) {
  return page.evaluate(`(async ({ now, ...credentials }) => {
    const { Kissi } = await import('/client/index.ts');
    const time = { now: () => now, wait: async () => undefined };
    const kissi = new Kissi({ baseUrl: location.origin, time, ...credentials });
    const amounts = [];
    try {
      for await (const { amount } of kissi.partner.transactions()) amounts.push(amount);
    } catch (error) {
      return error.name + ' ' + error.code;
    }
    return amounts;
  })(${JSON.stringify(options)})`);
}
