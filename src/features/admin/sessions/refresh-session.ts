// Exchanges a refresh token for a new pair. A token works once; a second use ends the session, unless it is a retry.
import type { Actor } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { closeAccess } from '../pep/service.ts';
import { lockUser } from '../users/service.ts';
import { idleEnd, issuePair, type SessionStart, sessionEnd, type TokenPair } from './start-session.ts';
import * as store from './store.ts';

interface PresentedToken {
  hash: Buffer;
  /** For so long after its use the token works again, if its successor was not used. */
  retryWindowMs: number;
}

/** Null: refused. The lock of the user orders all refreshes, logins and ends of sessions of this user. */
export async function refreshSession(
  deps: SessionStart,
  trx: Queries,
  actor: Actor,
  presented: PresentedToken,
): Promise<TokenPair | null> {
  const owner = await store.findToken(trx, presented.hash);
  const user = owner && (await lockUser(trx, owner.userId));
  // Read again under the lock: a concurrent refresh may have used the token.
  const token = user && (await store.findToken(trx, presented.hash));
  if (!token) return null;
  // Also read under the lock, so that the times of concurrent uses have the order of their locks.
  const now = deps.clock.now();
  const session = { id: token.sessionId, startedAt: token.sessionStartedAt };
  if (sessionEnd(deps, session) <= now) return null;
  if (token.usedAt === null && token.expiresAt.getTime() <= now) return null;
  if (!(await useToken(trx, token, presented, now))) {
    await revokeReused(deps, trx, actor, token);
    return null;
  }
  if (user.status !== 'active') return null;
  const alive = await store.extendSession(trx, session.id, idleEnd(deps, session));
  return alive ? issuePair(deps, trx, user, session) : null;
}

/**
 * False if the token was used before and this is not a retry. A retry means that the reply with the successor did not arrive, so
 * the successor counts as used before this use: a client that presents it later does not hold the session.
 */
async function useToken(
  trx: Queries,
  { sessionId, usedAt }: store.FoundToken,
  { hash, retryWindowMs }: PresentedToken,
  now: number,
): Promise<boolean> {
  const lastUse = await store.lastUseIn(trx, sessionId);
  if (usedAt !== null) {
    const isLatest = usedAt.getTime() === lastUse?.getTime();
    if (retryWindowMs === 0 || !isLatest || usedAt.getTime() <= now - retryWindowMs) return false;
    await store.markUnusedTokens(trx, sessionId, usedAt);
  }
  // Later than all other uses, even if another gateway's clock is ahead.
  await store.markTokenUsed(trx, hash, new Date(Math.max(now, (lastUse?.getTime() ?? 0) + 1)));
  return true;
}

/** A used token was presented again: the current one may be in the hands of a thief, so the session is revoked. */
async function revokeReused(
  { audit, clock }: SessionStart,
  trx: Queries,
  actor: Actor,
  { sessionId, userId }: store.FoundToken,
): Promise<void> {
  if (!(await store.revokeSession(trx, sessionId, new Date(clock.now())))) return;
  await closeAccess(trx, userId);
  const details = { user_id: userId, reason: 'a refresh token was used again' };
  await audit.record(trx, actor, {
    action: 'session.revoke',
    resourceType: 'session',
    resourceId: sessionId,
    details,
  });
}
