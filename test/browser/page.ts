// Opens pages in Chromium and collects what is wrong with them: console errors, refused resources, axe-core violations.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import { emptyWindow, newContext, type Window } from './windows.ts';

const AXE_PATH = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Widths of a phone, a tablet and a desktop. */
export const PHONE_WIDTH = 360;
export const TABLET_WIDTH = 768;
export const WIDTHS = [PHONE_WIDTH, TABLET_WIDTH, 1440];

export interface OpenedPage {
  page: Page;
  /** Errors of the console and of scripts so far. */
  errors: string[];
  close(): Promise<void>;
}

export interface View {
  width?: number;
  dark?: boolean;
  /** The test can move the browser's time, which runs on. */
  movesTime?: boolean;
}

export async function openPage(browser: Browser, url: string, view: View = {}): Promise<OpenedPage> {
  const { width = 1440, dark = false, movesTime = false } = view;
  const { context, release } = movesTime ? await windowWithClock(browser) : await emptyWindow(browser, url);
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  // axe-core would measure the contrast of a menu that is still fading in.
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(errorText(message))));
  page.on('pageerror', (error) => void errors.push(String(error)));
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors, close: release };
}

/** Its time cannot be set back for another test. */
async function windowWithClock(browser: Browser): Promise<Window> {
  const context = await newContext(browser);
  // Before any page: while the clock is being installed, scripts of a loaded one read a time of 1970.
  await context.clock.install();
  return { context, release: () => context.close() };
}

/** The browser names the address of what it could not load beside the text only. */
const errorText = (message: ConsoleMessage) =>
  message.text().startsWith('Failed to load') ? `${message.text()} ${message.location().url}` : message.text();

/** every-screen.test.ts checks them: what stands instead of a screen has no heading, and what opens above it no landmark. */
const OF_WHOLE_SCREENS = ['page-has-heading-one', 'region'];

/** Fails if axe-core finds a violation in the page, or in the parts with this selector. */
export async function assertAccessible(page: Page, label: string, selector?: string): Promise<void> {
  assert.deepEqual(await violationsOf(page, { selector, except: OF_WHOLE_SCREENS }), [], label);
}

export interface AxeOptions {
  /** The parts of the page to check; by default all of it. */
  selector?: string | undefined;
  /** Rules; by default all of axe-core's. */
  only?: readonly string[];
  except?: readonly string[];
}

export async function violationsOf(page: Page, options: AxeOptions = {}): Promise<string[]> {
  const { selector = 'html', only, except = [] } = options;
  if (only?.length === 0) return [];
  const isThere = await page.evaluate('"axe" in globalThis');
  if (!isThere) await injectAxe(page);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const run = { resultTypes: ['violations'], preload: false, rules, ...(only ? { runOnly: only } : {}) };
  const expression = `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(run)})`;
  const { violations } = (await page.evaluate(expression)) as AxeResults;
  return violations.map(
    ({ id, impact, help, nodes }) =>
      `${id}, ${impact}: ${help} (${nodes
        .map(({ html }) => html)
        .slice(0, 3)
        .join(' ')})`,
  );
}

/** Content wider than the window makes a page scroll sideways. */
export async function assertFitsWidth(page: Page, label: string): Promise<void> {
  const excess = await overflowOf(page);
  assert.ok(excess <= 0, `${label} is ${excess} pixels too wide`);
}

export const overflowOf = async (page: Page) =>
  Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));

/** Through the debugging protocol, because the policy of the page refuses foreign scripts. */
async function injectAxe(page: Page): Promise<void> {
  const { readFile } = await import('node:fs/promises');
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: await readFile(AXE_PATH, 'utf8') });
  await session.detach();
}
