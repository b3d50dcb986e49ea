// Opens the web wallet of a test gateway in Chromium, logs a customer in, and reads what the browser keeps.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { ensureBuilt } from '../../../packages/wallet/scripts/build.ts';
import { testClock } from '../../support/clock.ts';
import { loginCode } from '../../support/customers.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { type BankOptions, bankForFile, PIN, type Wallet } from '../../support/money.ts';
import { browserForFile } from '../chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, type View } from '../page.ts';

/** The wallet counts down with the browser's time. */
export async function walletsForFile(options: BankOptions = {}) {
  await ensureBuilt();
  const service = await bankForFile({ clock: testClock(Date.now()), ...options });
  const browser = await browserForFile();
  return { ...service, browser };
}

/** Service workers need https, or localhost. */
export const walletUrl = ({ url }: TestGateway) => `${url.replace('127.0.0.1', 'localhost')}/wallet/`;

export interface WalletPage {
  page: Page;
  /** Taps what has this name: a button, a link or a tab. */
  tap(name: string | RegExp): Promise<void>;
  type(label: string | RegExp, text: string): Promise<void>;
  sees(text: string | RegExp): Promise<void>;
  /** Fails if the screen has a violation of axe-core, is too wide, or logged an error. */
  check(label: string): Promise<void>;
  /** The service refused requests, as the test expects. */
  forgetFailures(): void;
  close(): Promise<void>;
}

export async function openWallet(browser: Browser, kissi: TestGateway, view: View = {}): Promise<WalletPage> {
  const { page, errors, close } = await openPage(browser, walletUrl(kissi), { width: 360, ...view });
  return {
    page,
    async tap(name) {
      const found = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }));
      await found.first().click();
    },
    type: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    sees: (text) => page.getByText(text).first().waitFor(),
    async check(label) {
      await assertFitsWidth(page, label);
      await assertAccessible(page, label);
      // The browser shows each request that a test cuts off as an error, a little later.
      assert.deepEqual(
        errors.filter((error) => !error.includes('net::ERR_')),
        [],
        label,
      );
    },
    forgetFailures() {
      const others = errors.filter((error) => !/status of 4\d\d/.test(error));
      errors.splice(0, errors.length, ...others);
    },
    close,
  };
}

/** The first login on this phone, with the code of the message. */
export async function logIn(
  { page, tap, type }: WalletPage,
  kissi: TestGateway,
  { phone }: Wallet,
  pin = PIN,
  firstName = 'Aminata',
): Promise<void> {
  await type('Your mobile number', phone);
  await tap('Send me a code');
  await page.getByLabel('Code', { exact: true }).waitFor();
  await type('Code', await loginCode(kissi, phone));
  await type('Your PIN', pin);
  await tap('Log in');
  await page.getByRole('heading', { name: `Hello, ${firstName}` }).waitFor();
}

/** What a browser keeps of a site, and the values of all fields on the page. */
const KEPT = `(async () => {
  const caches_ = await Promise.all((await caches.keys()).map(async (name) => {
    const cache = await caches.open(name);
    return Promise.all((await cache.keys()).map(async (request) => [request.url, await (await cache.match(request)).text()]));
  }));
  const bases = await indexedDB.databases();
  const fields = [...document.querySelectorAll('input')].map(({ value }) => value);
  return { local: { ...localStorage }, session: { ...sessionStorage }, caches: caches_.flat(), bases, fields,
    history: JSON.stringify(history.state), url: location.href, cookies: document.cookie };
})()`;

export interface Kept {
  local: Record<string, string>;
  session: Record<string, string>;
  caches: [url: string, text: string][];
  bases: unknown[];
  fields: string[];
  history: string;
  url: string;
  cookies: string;
}

export const readKept = (page: Page): Promise<Kept> => page.evaluate(KEPT);

/** Until the service worker has kept the shell. */
export async function shellKept(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready');
}
