// Windows of Chromium for tests. A used one is emptied for the next test: its process has compiled the scripts of the site.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watchReads } from './reads.ts';
import { watchChanges } from './sent.ts';

/** The documentation runs megabytes of scripts, and a loaded machine is twenty times slower. */
const TIMEOUT_MS = Number(process.env.PW_MS ?? 120_000);

export interface Window {
  context: BrowserContext;
  /** The test does not need the window any more. */
  release(): Promise<void>;
}

interface IdleWindow {
  context: BrowserContext;
  /** Stays open, and with it the process of the site. */
  keeper: Page;
}

/** By browser and origin. */
const idle = new WeakMap<Browser, Map<string, IdleWindow[]>>();

/** After a file: the windows are closed, and another gateway may get the port. */
export async function closeWindows(browser: Browser): Promise<void> {
  idle.delete(browser);
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** A window of its own, in which a slow machine has time for each step. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  watchReads(context);
  watchChanges(context);
  return context;
}

/** Without cookies and stored data; nobody else uses it until it is released. */
export async function emptyWindow(browser: Browser, url: string): Promise<Window> {
  const { origin } = new URL(url);
  const windows = idle.get(browser) ?? new Map<string, IdleWindow[]>();
  const free = windows.get(origin) ?? [];
  idle.set(browser, windows.set(origin, free));
  const window = free.pop() ?? (await keptWindow(browser, origin));
  return {
    context: window.context,
    async release() {
      await empty(window);
      free.push(window);
    },
  };
}

async function keptWindow(browser: Browser, origin: string): Promise<IdleWindow> {
  const context = await newContext(browser);
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/health`);
  return { context, keeper };
}

/** Pages first: one that is still open would store something again. */
async function empty({ context, keeper }: IdleWindow): Promise<void> {
  const pages = context.pages().filter((page) => page !== keeper);
  await Promise.all(pages.map((page) => page.close()));
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  await keeper.evaluate('localStorage.clear()');
}
