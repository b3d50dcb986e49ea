// The pages that anyone can open, in a real browser: the front page and the documentation.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ensureBuilt } from '../../packages/console/scripts/build.ts';
import { ADMIN, gatewayForFile } from '../support/gateway.ts';
import { browserForFile } from './chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, WIDTHS } from './page.ts';

const kissi = await gatewayForFile();
const browser = await browserForFile();

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
      // The theme's colours come with the last of its parts.
      await page.waitForLoadState('networkidle');
      await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
      await assertAccessible(page, labelOf(view));
      await assertFitsWidth(page, labelOf(view));
      assert.deepEqual(errors, []);
      await close();
    });
  }

  test('shows an operation with its fields and code in several languages, and finds it by search', async () => {
    const { page, errors, close } = await openPage(browser, `${kissi.url}/docs/`);
    await page
      .getByRole('link', { name: /^Pay by card at a terminal/ })
      .first()
      .click();
    const operation = page.locator('section', { hasText: 'encrypted_pin' }).last();
    await operation.waitFor();
    assert.match(await page.locator('body').innerText(), /curl|Shell Curl/);
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    await page.getByRole('combobox').fill('refund');
    await page
      .getByRole('option', { name: /Refund a payment at a terminal/ })
      .first()
      .waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  test('shows the guides with their pictures, chosen from a menu', async () => {
    const { page, errors, close } = await openPage(browser, `${kissi.url}/docs/`);
    await page.getByRole('heading', { name: 'Kissi', exact: true, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'API reference' }).click();
    await page.getByText('Guide: Staff', { exact: true }).click();
    await page.getByRole('heading', { name: /^Staff: a day of support/ }).waitFor();
    const picture = page.getByRole('img', { name: /^The overview/ });
    await picture.scrollIntoViewIfNeeded();
    await page.waitForFunction('document.querySelector(\'img[alt^="The overview"]\').naturalWidth > 1000');
    await assertAccessible(page, 'the staff guide');
    assert.deepEqual(errors, []);
    await close();
  });

  test("cannot use the console's session: its scripts have their own origin", async () => {
    await kissi.adminToken();
    await ensureBuilt();
    const { page, close } = await openPage(browser, `${kissi.url}/console/`);
    const session = await page.evaluate(
      async (body) =>
        (await fetch('/console/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
          .status,
      JSON.stringify(ADMIN),
    );
    assert.equal(session, 200);
    await page.goto(`${kissi.url}/docs/`);
    await page.getByRole('heading', { name: 'Kissi', exact: true, level: 1 }).waitFor();
    assert.equal(await page.evaluate('self.origin'), 'null');
    const attempt = async (expression: string) =>
      page.evaluate(expression).then(String, (error: Error) => error.message);
    const refresh =
      "fetch('/console/session/refresh', { method: 'POST', credentials: 'include' }).then((r) => r.text())";
    assert.match(await attempt(refresh), /Failed to fetch/);
    assert.match(
      await attempt("fetch('/api/v1/admin/me', { credentials: 'include' }).then((r) => r.text())"),
      /Failed to fetch/,
    );
    assert.match(await attempt('document.cookie'), /sandboxed/);
    assert.match(
      await attempt("Object.getOwnPropertyNames(localStorage).join() + localStorage.getItem('x')"),
      /getItem.*null$/,
    );
    await close();
  });
});
