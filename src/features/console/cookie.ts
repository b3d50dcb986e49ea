// The cookie that holds the refresh token of a console session. Scripts cannot read it.
import { parseCookie, stringifySetCookie } from 'cookie';

const NAME = 'kissi_session';
/** Without Max-Age: the browser deletes it when it closes. */
const ATTRIBUTES = { path: '/console', httpOnly: true, secure: true, sameSite: 'strict' } as const;

export function sessionCookie(refreshToken: string): string {
  return stringifySetCookie({ name: NAME, value: refreshToken, ...ATTRIBUTES });
}

export function noSessionCookie(): string {
  return stringifySetCookie({ name: NAME, value: '', ...ATTRIBUTES, maxAge: 0 });
}

/** `header`: the header Cookie, empty if absent. Null without the cookie. */
export function refreshTokenOf(header: string): string | null {
  return parseCookie(header)[NAME] || null;
}
