// Endpoints for login, token refresh and logout, and for the user's own account.
import { USER_RESTRICTIONS, type UserCaller } from '../../../auth/caller.ts';
import { permissionsOf } from '../../../auth/permissions.ts';
import { type Call, type Endpoint, endpoint, ok, okOrRefusal } from '../../../http/endpoint.ts';
import type { AppEnv } from '../../../kernel/config/config.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Users, userView } from '../users/service.ts';
import type { PasswordRecovery } from './recovery.ts';
import * as schemas from './schemas.ts';
import type { Sessions } from './service.ts';

/** Unauthenticated: the password or the token in the body is the credential. */
export function sessionRoutes(sessions: Sessions): Endpoint[] {
  return [
    endpoint({
      id: 'login',
      clientMethod: 'session.login',
      method: 'POST',
      path: '/admin/login',
      permission: 'anyone',
      summary: 'Log in',
      description:
        'Five wrong passwords within 15 minutes lead to 429 `TOO_MANY_ATTEMPTS`. A user with a second factor gets 401 `SECOND_FACTOR_REQUIRED` with a `challenge` for POST /admin/login/second-factor.',
      action: 'session.login',
      perIpLimit: 'login',
      body: schemas.loginBody,
      replies: { 200: schemas.tokensReply },
      refusals: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => okOrRefusal(await sessions.login(call, call.body)),
    }),
    endpoint({
      id: 'finishLogin',
      clientMethod: 'session.finishLogin',
      method: 'POST',
      path: '/admin/login/second-factor',
      permission: 'anyone',
      summary: 'Finish a login: answer its challenge with a code or a passkey',
      description: 'Send `code` (from the app, or a recovery code) or `assertion` (from a passkey), not both.',
      action: 'session.login',
      perIpLimit: 'login',
      body: schemas.secondFactorBody,
      replies: { 200: schemas.tokensReply },
      refusals: ['UNAUTHORIZED', 'INVALID_SECOND_FACTOR', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => okOrRefusal(await sessions.finishLogin(call, call.body)),
    }),
    endpoint({
      id: 'refreshTokens',
      clientMethod: 'session.refresh',
      method: 'POST',
      path: '/admin/refresh',
      permission: 'anyone',
      summary: 'Exchange a refresh token for a new pair of tokens; each works once',
      description: 'A token that is used a second time ends the session: it may have been stolen.',
      action: 'session.refresh',
      perIpLimit: 'login',
      body: schemas.tokenBody,
      replies: { 200: schemas.tokensReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => okOrRefusal(await sessions.refresh(call, call.body.refresh_token)),
    }),
    endpoint({
      id: 'logout',
      clientMethod: 'session.logout',
      method: 'POST',
      path: '/admin/logout',
      permission: 'anyone',
      summary: 'Log out: revoke the session and all its refresh tokens, or every session of the user',
      description:
        'The access token stays valid until it expires, for 15 minutes at most. `everywhere: true` ends it too. ' +
        'If the refresh token is no longer valid, `everywhere` ends nothing and replies 401 when other sessions are open.',
      action: 'session.logout',
      perIpLimit: 'login',
      body: schemas.logoutBody,
      replies: { 200: schemas.doneReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => {
        const refusal = await sessions.logout(call, call.body.refresh_token, call.body);
        return refusal ?? ok({ success: true, message: 'Logged out.' });
      },
    }),
  ];
}

/** Unauthenticated, as the login. */
export function recoveryRoutes(recovery: PasswordRecovery): Endpoint[] {
  return [
    endpoint({
      id: 'forgotPassword',
      clientMethod: 'session.forgotPassword',
      method: 'POST',
      path: '/admin/forgot-password',
      permission: 'anyone',
      summary: 'Ask for a code to replace a forgotten password',
      description:
        "The code goes to the user's phone by message. The reply is the same for unknown names, users without a phone number, and beyond five codes per name and day.",
      action: 'password.forgot',
      perIpLimit: 'login',
      body: schemas.forgotPasswordBody,
      replies: { 202: schemas.challengeReply },
      async handle(call) {
        const challenge = await recovery.begin(call, call.body.email);
        const message = 'If the login exists and has a phone number, a code is on its way to it.';
        return { status: 202, body: { success: true, message, challenge } };
      },
    }),
    endpoint({
      id: 'recoverPassword',
      clientMethod: 'session.recoverPassword',
      method: 'POST',
      path: '/admin/recover-password',
      permission: 'anyone',
      summary: 'Replace a forgotten password with the code',
      description:
        "Replaces the password only: a second factor is still required at the login. The user's sessions end, no browser stays known, and the user cannot approve anything for 24 hours.",
      action: 'password.recover',
      perIpLimit: 'login',
      body: schemas.recoverPasswordBody,
      replies: { 200: schemas.doneReply },
      refusals: ['INVALID_CODE'],
      async handle(call) {
        const refusal = await recovery.finish(call, call.body);
        return refusal ?? ok({ success: true, message: 'The password was replaced. Log in with it.' });
      },
    }),
  ];
}

/** The service that a user is logged in to. */
interface ServiceInfo {
  environment: AppEnv;
  version: string;
}

export function ownAccountRoutes(sessions: Sessions, users: Users, service: ServiceInfo): Endpoint[] {
  return [
    endpoint({
      id: 'getCurrentUser',
      clientMethod: 'session.currentUser',
      method: 'GET',
      path: '/admin/me',
      permission: 'own-account',
      openDuring: USER_RESTRICTIONS,
      summary: 'Get the current user with their permissions and the service they are logged in to',
      replies: { 200: schemas.currentUserReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const user = await users.get(staffOf(call).id);
        if (user instanceof Refusal) return user;
        // Days of limits, closes and reports begin at midnight UTC.
        return ok({
          ...userView(user),
          permissions: permissionsOf(call.caller),
          service: { ...service, time_zone: 'UTC' },
        });
      },
    }),
    endpoint({
      id: 'changePassword',
      clientMethod: 'session.changePassword',
      method: 'POST',
      path: '/admin/change-password',
      permission: 'own-account',
      openDuring: USER_RESTRICTIONS,
      summary: "Change the current user's password; ends every session and access token",
      description: "The user's other sessions end as well.",
      action: 'password.change',
      body: schemas.changePasswordBody,
      replies: { 200: schemas.doneReply },
      refusals: ['TOO_MANY_ATTEMPTS'],
      handle: async (call) => {
        const refusal = await sessions.changePassword(call, staffOf(call), call.body);
        return refusal ?? ok({ success: true, message: 'The password was changed. Log in again.' });
      },
    }),
  ];
}

/** The permission own-account admits users only. */
function staffOf({ caller }: Pick<Call, 'caller'>): UserCaller {
  if (caller.kind !== 'user') throw new Error(`a ${caller.kind} has no user account`);
  return caller;
}
