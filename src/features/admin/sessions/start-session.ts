// Starts a session once the login is complete, and issues its token pairs.
import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import type { Role } from '../../../auth/roles.ts';
import { ACCESS_TOKEN_SECONDS, type AccessTokens, REFRESH_TOKEN_MS } from '../../../auth/tokens.ts';
import type { Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { closeAccess } from '../pep/service.ts';
import { type UserRow, updateUser } from '../users/service.ts';
import { insertSession, insertToken } from './store.ts';

export interface SessionStart {
  audit: AuditLog;
  tokens: AccessTokens;
  clock: Clock;
}

export interface TokenPair {
  token: string;
  refresh_token: string;
  expires_in: number;
}

/** `user` must be locked by this transaction. */
export async function startSession(
  deps: SessionStart,
  trx: Queries,
  actor: Actor,
  user: UserRow,
  details: Record<string, unknown> = {},
): Promise<TokenPair> {
  const { audit, clock } = deps;
  const now = new Date(clock.now());
  await updateUser(trx, user.id, { last_login_at: now });
  const id = newId('ses', clock);
  const session = { id, user_id: user.id, created_at: now, expires_at: new Date(now.getTime() + REFRESH_TOKEN_MS) };
  await insertSession(trx, session);
  // Access tokens do not identify their session: a new session must not inherit PEP access that another one opened.
  await closeAccess(trx, user.id);
  const about = { resourceType: 'session', resourceId: id, details };
  await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.login', ...about });
  return issuePair(deps, trx, user, id);
}

/** Runs in the transaction that locks the user's row, so that ending the user's access also ends this pair. */
export async function issuePair(
  { tokens, clock }: SessionStart,
  trx: Queries,
  user: UserRow,
  sessionId: string,
): Promise<TokenPair> {
  const refreshToken = randomBytes(32).toString('base64url');
  const expires_at = new Date(clock.now() + REFRESH_TOKEN_MS);
  await insertToken(trx, { token_hash: hashToken(refreshToken), session_id: sessionId, expires_at });
  return { token: await tokens.issue(user), refresh_token: refreshToken, expires_in: ACCESS_TOKEN_SECONDS };
}

export function callerOf(user: UserRow): UserCaller {
  return {
    kind: 'user',
    id: user.id,
    email: user.email,
    role: user.role as Role,
    agentId: user.agent_id,
    processorId: user.processor_id,
    pepAccessAuthorized: user.pep_access_authorized,
  };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
