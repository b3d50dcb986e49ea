// Starts a session once the login is complete, and issues its token pairs.
import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import type { UserRole } from '../../../auth/roles.ts';
import { type AccessTokens, REFRESH_TOKEN_MS } from '../../../auth/tokens.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { closeAccess } from '../pep/service.ts';
import { type UserRow, updateUser } from '../users/service.ts';
import { type Browser, rememberBrowser } from './known-browsers.ts';
import { insertSession, insertToken } from './store.ts';

export interface SessionStart {
  audit: AuditLog;
  tokens: AccessTokens;
  clock: Clock;
  /** A session ends so long after its login, whatever its activity. */
  sessionMaxMs: number;
}

export interface OpenSession {
  id: string;
  startedAt: Date;
}

export interface TokenPair {
  token: string;
  refresh_token: string;
  expires_in: number;
  /** For the browser's cookie, after a login on a browser. */
  browser_token?: string;
}

/** `user` must be locked by this transaction. */
export async function startSession(
  deps: SessionStart,
  trx: Queries,
  actor: Actor,
  user: UserRow,
  { browser, ...details }: { browser: Browser; second_factor?: string },
): Promise<TokenPair> {
  const { audit, clock } = deps;
  const now = new Date(clock.now());
  await updateUser(trx, user.id, { last_login_at: now });
  const id = newId('ses', clock);
  const session = { id, startedAt: now };
  await insertSession(trx, { id, user_id: user.id, created_at: now, expires_at: idleEnd(deps, session) });
  // Access tokens do not identify their session: a new session must not inherit PEP access that another opened.
  await closeAccess(trx, user.id);
  const about = { resourceType: 'session', resourceId: id, details };
  await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.login', ...about });
  const pair = await issuePair(deps, trx, user, session);
  if (browser === undefined) return pair;
  return { ...pair, browser_token: await rememberBrowser(trx, { browser, userId: user.id, clock }) };
}

/** Runs in the transaction that locks the user's row, so that ending the user's access also ends this pair. */
export async function issuePair(
  deps: SessionStart,
  trx: Queries,
  user: UserRow,
  session: OpenSession,
): Promise<TokenPair> {
  const refreshToken = randomBytes(32).toString('base64url');
  const row = { token_hash: hashToken(refreshToken), session_id: session.id, expires_at: idleEnd(deps, session) };
  await insertToken(trx, row);
  const endsAt = sessionEnd(deps, session);
  const { token, expiresInSeconds } = await deps.tokens.issue(user, { id: session.id, endsAt });
  return { token, refresh_token: refreshToken, expires_in: expiresInSeconds };
}

/** When a session ends that is used all the time, in milliseconds. */
export function sessionEnd({ sessionMaxMs }: SessionStart, { startedAt }: OpenSession): number {
  return startedAt.getTime() + sessionMaxMs;
}

/** When the session ends if it is no longer used. */
export function idleEnd(deps: SessionStart, session: OpenSession): Date {
  return new Date(Math.min(deps.clock.now() + REFRESH_TOKEN_MS, sessionEnd(deps, session)));
}

export function callerOf(user: UserRow): UserCaller {
  return {
    kind: 'user',
    id: user.id,
    email: user.email,
    role: user.role as UserRole,
    agentId: user.agent_id,
    processorId: user.processor_id,
    pepAccessAuthorized: user.pep_access_authorized,
  };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
