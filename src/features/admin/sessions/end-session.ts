// Ends sessions: one, or all of a user with the access tokens.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { closeAccess } from '../pep/service.ts';
import { deleteChallengesOf } from '../second-factor/service.ts';
import { findUser, lockUser, type UserRow, updateUser } from '../users/service.ts';
import { forgetAttempts } from './attempt-store.ts';
import { forgetBrowsers } from './known-browsers.ts';
import { deleteRecoveriesOf } from './recovery-store.ts';
import { callerOf } from './start-session.ts';
import { findToken, hasOpenSession, revokeSession, revokeSessionsOf } from './store.ts';

interface Dependencies {
  audit: AuditLog;
  clock: Clock;
}

/** A session that has ended before is what the caller wants. */
export async function endSession(deps: Dependencies, trx: Queries, actor: Actor, tokenHash: Buffer): Promise<null> {
  const token = await findToken(trx, tokenHash);
  if (!token || !(await revokeSession(trx, token.sessionId, new Date(deps.clock.now())))) return null;
  await closeAccess(trx, token.userId);
  const user = await findUser(trx, token.userId);
  const owner = user ? { ...actor, caller: callerOf(user) } : actor;
  const about = { resourceType: 'session', resourceId: token.sessionId };
  await deps.audit.record(trx, owner, { action: 'session.logout', ...about });
  return null;
}

/** A refresh token that is no longer valid ends nothing. Repeated after a lost reply, it finds no open session. */
export async function endAllSessions(
  deps: Dependencies,
  trx: Queries,
  actor: Actor,
  tokenHash: Buffer,
): Promise<Refusal | null> {
  const now = new Date(deps.clock.now());
  const token = await findToken(trx, tokenHash);
  const user = token && (await lockUser(trx, token.userId));
  if (!user) return otherSessionsOpen();
  if (!(await revokeSession(trx, token.sessionId, now))) {
    return (await hasOpenSession(trx, user.id, now)) ? otherSessionsOpen() : null;
  }
  await endAccess(trx, user, deps.clock);
  const about = { resourceType: 'user', resourceId: user.id };
  await deps.audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.logout_everywhere', ...about });
  return null;
}

export function otherSessionsOpen(): Refusal {
  return refuse('UNAUTHORIZED', 'The session had ended before. Other sessions may still be open: log in to end them.');
}

/** `user` must be locked by this transaction, which orders concurrent logins and refreshes before or after it. */
export async function endAccess(trx: Queries, user: UserRow, clock: Clock): Promise<void> {
  const now = clock.now();
  await updateUser(trx, user.id, { tokens_valid_from: afterAnyToken(user.tokens_valid_from, now) });
  await revokeSessionsOf(trx, user.id, new Date(now));
  await deleteChallengesOf(trx, user.id);
  await deleteRecoveriesOf(trx, user.id);
  await closeAccess(trx, user.id);
}

/**
 * For changes by administrators, who may be throwing an intruder out: no browser stays known, the intruder's neither. The wrong
 * passwords so far were guesses at another credential, and would lock out a user whose own browser is no longer known.
 */
export async function revokeAccess(trx: Queries, user: UserRow, clock: Clock): Promise<void> {
  await endAccess(trx, user, clock);
  await forgetBrowsers(trx, user.id);
  await forgetAttempts(trx, user.email);
}

/**
 * The issue time of a token is in whole seconds, and right after a change it is the next second (see auth/tokens.ts).
 * The new bound is later than the issue time of any existing token.
 */
function afterAnyToken(validFrom: Date, now: number): Date {
  const latest = Math.ceil(validFrom.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(Math.max(now, latest) + 1);
}
