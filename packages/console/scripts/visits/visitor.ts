// Opens screens of the console in a browser, one after another without loading the page again.
import type { Page } from 'playwright-core';

const LOADING = '.mantine-Skeleton-root, .mantine-Loader-root, [role="status"][aria-label="Loading"]';

const TITLE_IS_SET = `new Promise((done, fail) => {
  const check = () => document.title ? done() : requestAnimationFrame(check);
  setTimeout(() => fail(new Error('the screen was not drawn')), 120_000);
  check();
})`;

/** Two frames: what arrived is drawn, and the requests that it causes are sent. Then colours no longer change. */
const DRAWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
})`;

export interface Visitor {
  /** Below /console. Resolves when the screen shows its data. */
  open(address: string): Promise<void>;
  /** Resolves when nothing loads any longer, such as after a change of width or appearance. */
  settled(): Promise<void>;
}

export async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#main').waitFor();
}

export function visitorOf(page: Page): Visitor {
  const pending = new Set<unknown>();
  page.on('request', (request) => void pending.add(request));
  page.on('requestfinished', (request) => void pending.delete(request));
  page.on('requestfailed', (request) => void pending.delete(request));

  async function settled(): Promise<void> {
    do {
      await page.locator(LOADING).first().waitFor({ state: 'detached' });
      await page.evaluate(DRAWN);
    } while (pending.size > 0 || (await page.locator(LOADING).count()) > 0);
  }

  return {
    async open(address) {
      await page.locator('#main h1').first().waitFor();
      if (new URL(page.url()).pathname !== `/console${address}`) {
        // Each screen sets the page's title when it is drawn.
        await page.evaluate(`document.title = ''; history.pushState({}, '', ${JSON.stringify(`/console${address}`)});
          dispatchEvent(new PopStateEvent('popstate'));`);
        await page.evaluate(TITLE_IS_SET);
      }
      await settled();
    },
    settled,
  };
}
