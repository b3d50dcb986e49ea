// The end of a session at the service. What could not be sent is remembered and sent again, even after a reload.
import type { Kissi, KissiError } from '@kissi/client';
import { createStore } from './store.ts';

/** Not a secret: `here` or `everywhere`. Stored until the service has confirmed that the session ended. */
const STORED_AS = 'kissi-ending';
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** True while the service has not confirmed the end, although the console tried. */
export const endingFailed = createStore(false);

/** True after "log out everywhere" in a session that had ended before: other sessions may still be open. */
export const othersOpen = createStore(false);

export const isEnding = () => localStorage.getItem(STORED_AS) !== null;

export type EndRequest = Kissi['consoleSession']['end'];

/** The tabs of a browser share one cookie: only one request that changes it at a time. */
export const withCookie = <T>(request: () => Promise<T>): Promise<T> =>
  navigator.locks.request('kissi-session', request) as Promise<T>;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Returns at once; `endingFailed` tells if it did not work so far. */
export function endSession(end: EndRequest, { everywhere }: { everywhere: boolean }): void {
  const isEverywhere = everywhere || localStorage.getItem(STORED_AS) === 'everywhere';
  localStorage.setItem(STORED_AS, isEverywhere ? 'everywhere' : 'here');
  continueEnding(end);
}

/** After the page was loaded, or when the network is back. */
export function continueEnding(end: EndRequest, waitMs = FIRST_WAIT_MS): void {
  clearTimeout(timer);
  withCookie(() => sendEnd(end)).catch(() => {
    endingFailed.set(true);
    timer = setTimeout(() => continueEnding(end, Math.min(2 * waitMs, LONGEST_WAIT_MS)), waitMs);
  });
}

/** Inside `withCookie`. A login replaces the cookie, so the old session has to end first. Throws if it cannot. */
export async function sendEnd(end: EndRequest): Promise<void> {
  othersOpen.set(false);
  if (isEnding()) {
    othersOpen.set(!(await isEnded(end)));
    localStorage.removeItem(STORED_AS);
  }
  clearTimeout(timer);
  endingFailed.set(false);
}

/** False if the service refuses to end other sessions, because this one had ended before. */
async function isEnded(end: EndRequest): Promise<boolean> {
  try {
    const reply = await end({ everywhere: localStorage.getItem(STORED_AS) === 'everywhere' });
    if (reply?.success !== true) throw new Error('This is not a reply from the service.');
    return true;
  } catch (error) {
    if ((error as KissiError).code !== 'UNAUTHORIZED') throw error;
    return false;
  }
}
