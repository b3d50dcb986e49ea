// Opens the console of a test gateway in Chromium and logs in.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ensureBuilt } from '../../../packages/console/scripts/build.ts';
import { logIn } from '../../../packages/console/scripts/visits/visitor.ts';
import { testClock } from '../../support/clock.ts';
import { type BankOptions, bankForFile } from '../../support/money.ts';
import { browserForFile } from '../chromium.ts';
import { assertAccessible, assertFitsWidth, openPage, type View } from '../page.ts';
import { assertPlayed } from './played.ts';

export interface Credentials {
  email: string;
  password: string;
}

export interface ConsolePage {
  page: Page;
  /** Errors of the console and of scripts so far. */
  errors: string[];
  /** Opens a screen without loading the page again. */
  go(path: string): Promise<void>;
  /** Fails if the screen has a violation of axe-core, is too wide, or logged an error. */
  check(label: string): Promise<void>;
  /** The service refused a request so far, as the test expects. The browser shows each refusal as an error. */
  expectRefusal(status: number): void;
  /** The test cut the connection so far. The browser shows each lost request as an error. */
  forgetFailures(): void;
  close(): Promise<void>;
}

export { logIn };

/** On a slow machine a window can wait for more than 15 minutes until its turn comes, and would be locked by then. */
const STAY = `void setInterval(() => dispatchEvent(new Event('wheel')), 60_000)`;

/** A gateway with a bank, and Chromium, for all tests of a file. The console takes today's date from the browser. */
export async function consoleForFile(options: BankOptions = {}) {
  await ensureBuilt();
  const service = await bankForFile({ clock: testClock(Date.now()), ...options });
  const browser = await browserForFile();
  after(assertPlayed);
  return { ...service, browser };
}

/** Browsers keep a Secure cookie without TLS on localhost only. */
export const consoleUrl = (gatewayUrl: string) => `${gatewayUrl.replace('127.0.0.1', 'localhost')}/console/`;

export async function openConsole(
  browser: Browser,
  gatewayUrl: string,
  { email, password }: Credentials,
  view: View = {},
): Promise<ConsolePage> {
  const { page, errors, close } = await openPage(browser, consoleUrl(gatewayUrl), view);
  await logIn(page, { email, password });
  await page.evaluate(STAY);
  return {
    page,
    errors,
    go: (path) => go(page, path),
    async check(label) {
      await assertFitsWidth(page, label);
      await assertAccessible(page, label);
      assert.deepEqual(errors, [], label);
    },
    expectRefusal(status) {
      const at = errors.findIndex((error) => error.includes(`status of ${status} `));
      assert.ok(at >= 0, `no request was refused with ${status}: ${errors}`);
      errors.splice(at, 1);
    },
    forgetFailures() {
      const others = errors.filter((error) => !error.includes('net::ERR_'));
      errors.splice(0, errors.length, ...others);
    },
    close,
  };
}

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console${path}`)});
    dispatchEvent(new PopStateEvent('popstate'));`);
}
