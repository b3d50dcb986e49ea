// Endpoints for the console's session: the refresh token is in a cookie, so that no script can read it.
import { type Endpoint, endpoint, type Reply } from '../../http/endpoint.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { BROWSER_MS, otherSessionsOpen, type Sessions, type TokenPair } from '../admin/sessions/service.ts';
import { browserCookie, browserTokenOf, noSessionCookie, refreshTokenOf, sessionCookie } from './cookie.ts';
import { doneReply, loginBody, logoutBody, secondFactorBody, tokenReply } from './schemas.ts';

/** A phone on a slow network loses replies; without this its user would need to log in again. */
const RETRY_WINDOW_MS = MINUTE_MS;

/** For pages of this service only. */
export function consoleSessionRoutes(sessions: Sessions): Endpoint[] {
  return [
    endpoint({
      id: 'startConsoleSession',
      clientMethod: 'consoleSession.start',
      method: 'POST',
      path: '/session',
      permission: 'anyone',
      summary: 'Log in to the console; the refresh token is set as a cookie',
      action: 'session.login',
      perIpLimit: 'login',
      body: loginBody,
      replies: { 200: tokenReply },
      refusals: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => sessionReply(await sessions.login(call, call.body, browserOf(call))),
    }),
    endpoint({
      id: 'finishConsoleLogin',
      clientMethod: 'consoleSession.finishLogin',
      method: 'POST',
      path: '/session/second-factor',
      permission: 'anyone',
      summary: 'Finish a login to the console: answer its challenge with a code or a passkey',
      action: 'session.login',
      perIpLimit: 'login',
      body: secondFactorBody,
      replies: { 200: tokenReply },
      refusals: ['UNAUTHORIZED', 'INVALID_SECOND_FACTOR', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => sessionReply(await sessions.finishLogin(call, call.body, browserOf(call))),
    }),
    endpoint({
      id: 'refreshConsoleSession',
      clientMethod: 'consoleSession.refresh',
      method: 'POST',
      path: '/session/refresh',
      permission: 'anyone',
      summary: 'Get a new access token for the session of the cookie',
      description: 'A request whose reply was lost can be repeated for a minute.',
      action: 'session.refresh',
      perIpLimit: 'login',
      replies: { 200: tokenReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => {
        const token = refreshTokenOf(call.cookie);
        if (token === null) return refuse('UNAUTHORIZED', 'There is no session. Log in.');
        return sessionReply(await sessions.refresh(call, token, { retryWindowMs: RETRY_WINDOW_MS }));
      },
    }),
    endpoint({
      id: 'endConsoleSession',
      clientMethod: 'consoleSession.end',
      method: 'POST',
      path: '/session/logout',
      permission: 'anyone',
      summary: 'Log out of the console: revoke the session, or every session of the user, and delete the cookie',
      action: 'session.logout',
      perIpLimit: 'login',
      body: logoutBody,
      bodyOptional: true,
      replies: { 200: doneReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => {
        const token = refreshTokenOf(call.cookie);
        if (token === null && call.body.everywhere) return otherSessionsOpen();
        const refusal = token === null ? null : await sessions.logout(call, token, call.body);
        if (refusal) return refusal;
        const body = { success: true, message: 'Logged out.' };
        return { status: 200, body, headers: { 'set-cookie': noSessionCookie() } };
      },
    }),
  ];
}

function sessionReply(pair: TokenPair | Refusal): Reply | Refusal {
  if (pair instanceof Refusal) return pair;
  const { token, refresh_token, expires_in, browser_token } = pair;
  const cookies = [sessionCookie(refresh_token)];
  if (browser_token !== undefined) cookies.push(browserCookie(browser_token, BROWSER_MS));
  return { status: 200, body: { token, expires_in }, headers: { 'set-cookie': cookies } };
}

function browserOf({ cookie }: { cookie: string }) {
  return { browser: browserTokenOf(cookie) };
}
