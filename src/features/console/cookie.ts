// The cookies of the console, which scripts cannot read: the refresh token of the session, and a token of the browser.
import { parseCookie, stringifySetCookie } from 'cookie';
import { SECOND_MS } from '../../kernel/clock.ts';

const NAME = 'kissi_session';
const BROWSER = 'kissi_browser';
/** Without Max-Age: the browser deletes it when it closes. */
const ATTRIBUTES = { path: '/console', httpOnly: true, secure: true, sameSite: 'strict' } as const;

export function sessionCookie(refreshToken: string): string {
  return stringifySetCookie({ name: NAME, value: refreshToken, ...ATTRIBUTES });
}

export function noSessionCookie(): string {
  return stringifySetCookie({ name: NAME, value: '', ...ATTRIBUTES, maxAge: 0 });
}

/** Stays after the logout: it tells that this browser logged in before. */
export function browserCookie(token: string, maxAgeMs: number): string {
  return stringifySetCookie({ name: BROWSER, value: token, ...ATTRIBUTES, maxAge: maxAgeMs / SECOND_MS });
}

export function browserTokenOf(header: string): string | null {
  return parseCookie(header)[BROWSER] || null;
}

/** `header`: the header Cookie, empty if absent. Null without the cookie. */
export function refreshTokenOf(header: string): string | null {
  return parseCookie(header)[NAME] || null;
}
