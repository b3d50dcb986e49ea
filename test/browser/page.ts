// Opens pages in Chromium and collects what is wrong with them: console errors, refused resources, axe-core violations.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';

const AXE_PATH = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Widths of a phone, a tablet and a desktop. */
export const WIDTHS = [360, 768, 1440];

export interface OpenedPage {
  page: Page;
  /** Errors of the console and of scripts so far. */
  errors: string[];
  close(): Promise<void>;
}

interface View {
  width?: number;
  dark?: boolean;
}

export async function openPage(browser: Browser, url: string, view: View = {}): Promise<OpenedPage> {
  const { width = 1440, dark = false } = view;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    // axe-core is added by the test; policies of the page apply to its own scripts.
    bypassCSP: false,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors, close: () => context.close() };
}

/** Fails if axe-core finds a serious or critical violation. */
export async function assertAccessible(page: Page, label: string): Promise<void> {
  await injectAxe(page);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(' ')})`,
  );
  assert.deepEqual(found, [], label);
}

/** Content wider than the window makes a page scroll sideways. */
export async function assertFitsWidth(page: Page, label: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  assert.ok(Number(excess) <= 0, `${label} is ${excess} pixels too wide`);
}

/** Through the debugging protocol, because the policy of the page refuses foreign scripts. */
async function injectAxe(page: Page): Promise<void> {
  const { readFile } = await import('node:fs/promises');
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: await readFile(AXE_PATH, 'utf8') });
  await session.detach();
}
