// Endpoints for customers' logins. The code, the device's token or the refresh token in the body is the credential.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import { CODE_MS, type CustomerSessionService } from './service.ts';
import type { DeviceLogin } from './sessions.ts';

/** A wrong PIN, and one that is not four digits. */
const PIN_REFUSALS = ['INVALID_PIN', { code: 'INVALID_PIN', status: 400 }] as const;
const REFUSED_LOGINS = [...PIN_REFUSALS, 'ACCOUNT_LOCKED', 'SUBSCRIBER_BLOCKED', 'TOO_MANY_ATTEMPTS'] as const;

export function customerSessionRoutes({ login, refresh, logout, loginView }: CustomerSessionService): Endpoint[] {
  const loggedIn = (done: DeviceLogin | Refusal) => (done instanceof Refusal ? done : ok(loginView(done)));
  return [
    endpoint({
      id: 'startCustomerLogin',
      clientMethod: 'me.login',
      method: 'POST',
      path: '/me/login',
      permission: 'anyone',
      summary: "Begin a customer's login: a code is sent to the number",
      description:
        'The reply is the same for every number. Three messages are sent to one number in an hour; then the customer gets a code by USSD, as when an address asks for too many.',
      action: 'customer.start_login',
      perIpLimit: 'customer',
      body: schemas.loginBody,
      replies: { 202: schemas.challengeReply },
      handle: async (call) => {
        const challenge = await login.begin(call.body.phone_number, call.ip);
        if (challenge instanceof Refusal) return challenge;
        const message = 'If the number is registered, a code was sent to it.';
        return { status: 202, body: { success: true, message, challenge, expires_in: CODE_MS / SECOND_MS } };
      },
    }),
    endpoint({
      id: 'finishCustomerLogin',
      clientMethod: 'me.verify',
      method: 'POST',
      path: '/me/login/verify',
      permission: 'anyone',
      summary: "Finish a customer's login on a new device, with the code and the PIN",
      description:
        'A challenge takes three answers in 10 minutes. For 24 hours a new device cannot change the PIN, devices, number or notices, and pays at most a tenth of the daily limit. Of more than three devices, one that is new too ends first, then the one that was not used for the longest time.',
      action: 'customer.login',
      perIpLimit: 'customer',
      body: schemas.verifyBody,
      replies: { 200: schemas.deviceLoginReply },
      refusals: ['INVALID_CODE', ...REFUSED_LOGINS],
      handle: async (call) => loggedIn(await login.withCode(call, call.body)),
    }),
    endpoint({
      id: 'customerDeviceLogin',
      clientMethod: 'me.loginDevice',
      method: 'POST',
      path: '/me/login/device',
      permission: 'anyone',
      summary: "Log a customer in on a known device, with the device's token and the PIN",
      description:
        'Each login gives the device its next token. If the reply is lost, the last token works again for 24 hours; any older one ends the device.',
      action: 'customer.login',
      perIpLimit: 'customer',
      body: schemas.deviceLoginBody,
      replies: { 200: schemas.deviceLoginReply },
      refusals: ['UNAUTHORIZED', ...REFUSED_LOGINS],
      handle: async (call) => loggedIn(await login.withToken(call, call.body)),
    }),
    endpoint({
      id: 'refreshCustomerTokens',
      clientMethod: 'me.refresh',
      method: 'POST',
      path: '/me/refresh',
      permission: 'anyone',
      summary: "Exchange a customer's refresh token for a new pair of tokens; each works once",
      description:
        'If the reply is lost, the last token works again for 10 minutes; any older one ends the session: it may have been stolen.',
      action: 'customer.refresh',
      perIpLimit: 'customer',
      body: schemas.refreshBody,
      replies: { 200: schemas.tokensReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => {
        const pair = await refresh(call, call.body.refresh_token);
        return pair
          ? ok({ success: true, ...pair })
          : refuse('UNAUTHORIZED', 'The refresh token is unknown, expired or revoked.');
      },
    }),
    endpoint({
      id: 'endCustomerSession',
      clientMethod: 'me.logout',
      method: 'POST',
      path: '/me/logout',
      permission: 'anyone',
      summary: "End a customer's session; the device stays known",
      action: 'customer.logout',
      perIpLimit: 'customer',
      body: schemas.refreshBody,
      replies: { 200: schemas.doneReply },
      handle: async (call) => {
        await logout(call.body.refresh_token);
        return ok({ success: true, message: 'Logged out.' });
      },
    }),
  ];
}
