// Reads of the console that a test holds back. Otherwise a page whose session has ended at the service finds out by itself, when
// it reads its screen again, and locks itself before the test has done what should tell it.
import type { BrowserContext, Request, Route } from 'playwright-core';
import { waitFor } from '../support/wait.ts';

const API = '**/api/v1/**';
const running = new WeakMap<BrowserContext, Set<Request>>();

const isRead = (request: Request) => request.method() === 'GET' && request.url().includes('/api/v1/');

/** From the beginning: a request that is under way can no longer be held back. */
export function watchReads(context: BrowserContext): void {
  const reads = new Set<Request>();
  running.set(context, reads);
  context.on('request', (request) => void (isRead(request) && reads.add(request)));
  context.on('requestfinished', (request) => void reads.delete(request));
  context.on('requestfailed', (request) => void reads.delete(request));
}

/** Resolves when the reads under way have their replies. Later ones get theirs when the returned function is called. */
export async function holdReads(context: BrowserContext): Promise<() => Promise<void>> {
  const held = new Map<Request, Route>();
  const hold = (route: Route) => (isRead(route.request()) ? void held.set(route.request(), route) : route.continue());
  await context.route(API, hold);
  const isQuiet = async () => [...(running.get(context) ?? [])].every((request) => held.has(request));
  await waitFor('the reads under way have their replies', isQuiet);
  return async () => {
    await context.unroute(API, hold);
    // A page that has left the screen has given up its reads.
    await Promise.all([...held.values()].map((route) => route.continue().catch(() => {})));
  };
}
