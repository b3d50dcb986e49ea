// Endpoints for login, token refresh and logout, and for the user's own account.
import { USER_RESTRICTIONS, type UserCaller } from '../../../auth/caller.ts';
import { permissionsOf } from '../../../auth/permissions.ts';
import { type Call, type Endpoint, endpoint, ok, okOrRefusal } from '../../../http/endpoint.ts';
import type { AppEnv } from '../../../kernel/config/config.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Users, userView } from '../users/service.ts';
import {
  changePasswordBody,
  currentUserReply,
  doneReply,
  loginBody,
  logoutBody,
  secondFactorBody,
  tokenBody,
  tokensReply,
} from './schemas.ts';
import type { Sessions } from './service.ts';

/** Unauthenticated: the password or the token in the body is the credential. */
export function sessionRoutes(sessions: Sessions): Endpoint[] {
  return [
    endpoint({
      id: 'login',
      method: 'POST',
      path: '/admin/login',
      permission: 'anyone',
      summary: 'Log in',
      action: 'session.login',
      perIpLimit: 'login',
      body: loginBody,
      replies: { 200: tokensReply },
      refusals: ['UNAUTHORIZED', 'SECOND_FACTOR_REQUIRED', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => okOrRefusal(await sessions.login(call, call.body)),
    }),
    endpoint({
      id: 'finishLogin',
      method: 'POST',
      path: '/admin/login/second-factor',
      permission: 'anyone',
      summary: 'Finish a login: answer its challenge with a code or a passkey',
      action: 'session.login',
      perIpLimit: 'login',
      body: secondFactorBody,
      replies: { 200: tokensReply },
      refusals: ['UNAUTHORIZED', 'INVALID_SECOND_FACTOR', 'TOO_MANY_ATTEMPTS'],
      handle: async (call) => okOrRefusal(await sessions.finishLogin(call, call.body)),
    }),
    endpoint({
      id: 'refreshTokens',
      method: 'POST',
      path: '/admin/refresh',
      permission: 'anyone',
      summary: 'Exchange a refresh token for a new pair of tokens; each works once',
      action: 'session.refresh',
      perIpLimit: 'login',
      body: tokenBody,
      replies: { 200: tokensReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => okOrRefusal(await sessions.refresh(call, call.body.refresh_token)),
    }),
    endpoint({
      id: 'logout',
      method: 'POST',
      path: '/admin/logout',
      permission: 'anyone',
      summary: 'Log out: revoke the session and all its refresh tokens, or every session of the user',
      action: 'session.logout',
      perIpLimit: 'login',
      body: logoutBody,
      replies: { 200: doneReply },
      refusals: ['UNAUTHORIZED'],
      handle: async (call) => {
        const refusal = await sessions.logout(call, call.body.refresh_token, call.body);
        return refusal ?? ok({ success: true, message: 'Logged out.' });
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
      method: 'GET',
      path: '/admin/me',
      permission: 'own-account',
      openDuring: USER_RESTRICTIONS,
      summary: 'Get the current user, its permissions, and the service that it is logged in to',
      replies: { 200: currentUserReply },
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
      method: 'POST',
      path: '/admin/change-password',
      permission: 'own-account',
      openDuring: USER_RESTRICTIONS,
      summary: "Change the current user's password; ends every session and access token",
      action: 'password.change',
      body: changePasswordBody,
      replies: { 200: doneReply },
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
