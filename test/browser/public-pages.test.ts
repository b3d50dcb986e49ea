// The pages that anyone can open, in a real browser: the front page and the documentation.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { gatewayForFile } from '../support/gateway.ts';
import { startChromium } from './chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, WIDTHS } from './page.ts';

const kissi = await gatewayForFile();
let browser: Browser;
before(async () => {
  browser = await startChromium();
});
after(() => browser?.close());

const VIEWS = WIDTHS.flatMap((width) => [false, true].map((dark) => ({ width, dark })));
const labelOf = ({ width, dark }: { width: number; dark: boolean }) => `${width} pixels, ${dark ? 'dark' : 'light'}`;

describe('the front page', () => {
  for (const view of VIEWS) {
    test(`is accessible, fits and reports no error at ${labelOf(view)}`, async () => {
      const { page, errors, close } = await openPage(browser, `${kissi.url}/`, view);
      await assertAccessible(page, labelOf(view));
      await assertFitsWidth(page, labelOf(view));
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('leads to the documentation and to the health report', async () => {
    const { page, close } = await openPage(browser, `${kissi.url}/`);
    await page.getByRole('link', { name: 'Health' }).click();
    assert.match(await page.locator('body').innerText(), /"status": ?"ok"/);
    await page.goBack();
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('heading', { name: 'Kissi', exact: true, level: 1 }).waitFor();
    await close();
  });

  test('is for browsers only: other clients get 404', async () => {
    const reply = await kissi.call('GET', '/');
    assert.equal(reply.status, 404);
    assert.equal(reply.json.code, 'NOT_FOUND');
  });
});

/** The page is large: the views that differ most. */
const DOCS_VIEWS = [
  { width: 360, dark: false },
  { width: 1440, dark: true },
];

describe('the documentation', () => {
  for (const view of DOCS_VIEWS) {
    test(`is accessible and reports no error at ${labelOf(view)}`, async () => {
      const { page, errors, close } = await openPage(browser, `${kissi.url}/docs/`, view);
      await page.getByRole('heading', { name: 'Kissi', exact: true, level: 1 }).waitFor();
      await assertAccessible(page, labelOf(view));
      await assertFitsWidth(page, labelOf(view));
      assert.deepEqual(errors, []);
      await close();
    });
  }
});
