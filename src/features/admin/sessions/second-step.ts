// The second step of a login: a challenge after the password, and the second factor that answers it.
import type { Actor } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Answer, LoginChallenge, SecondFactors } from '../second-factor/service.ts';
import { lockUser, type UserRow } from '../users/service.ts';
import type { Attempts } from './attempts.ts';
import { callerOf, type SessionStart, startSession, type TokenPair } from './start-session.ts';

export interface SecondStep extends SessionStart {
  attempts: Attempts;
  secondFactors: Pick<SecondFactors, 'challenge' | 'challengedUser' | 'answer' | 'prune'>;
}

/** The password was right. `user` must be locked by this transaction. */
export async function challengeUser(
  { audit, secondFactors }: SecondStep,
  trx: Queries,
  actor: Actor,
  user: UserRow,
): Promise<LoginChallenge> {
  const challenge = await secondFactors.challenge(trx, user.id);
  const about = { resourceType: 'user', resourceId: user.id, details: { methods: challenge.methods } };
  await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.login.challenge', ...about });
  return challenge;
}

/** A refusal is returned inside an object: the counts and the consumed challenge must be committed. */
export type Answered = { pair: TokenPair } | { refused: Refusal; auditedEmail: string | null };

/**
 * Counts, verifies and starts the session in one transaction under the lock of the user's row. However many answers arrive at
 * any number of gateways, they are verified one after another.
 */
export async function answerChallenge(
  deps: SecondStep,
  trx: Queries,
  actor: Actor,
  { challenge, ...answer }: Answer & { challenge: string },
): Promise<Answered> {
  const { attempts, secondFactors } = deps;
  const found = await secondFactors.challengedUser(trx, challenge);
  const user = found === null ? undefined : await lockUser(trx, found);
  // Read again under the lock: another answer may have consumed it, or the access of the user may have ended.
  if (user?.status !== 'active' || (await secondFactors.challengedUser(trx, challenge)) === null) {
    return {
      refused: refuse('UNAUTHORIZED', 'The challenge is unknown, expired or used up: log in again.'),
      auditedEmail: null,
    };
  }
  const { locked, left } = await attempts.count(trx, user.email);
  // Attempts at a locked email are audited once per window.
  if (locked) return { refused: locked.refusal, auditedEmail: locked.first ? user.email : null };
  const outcome = await secondFactors.answer(trx, user.id, challenge, answer);
  if (typeof outcome === 'string') {
    await attempts.clear(trx, user.email);
    return { pair: await startSession(deps, trx, actor, user, { second_factor: outcome }) };
  }
  const details = { attempts_remaining: Math.min(left, outcome.triesLeft) };
  const refused = refuse('INVALID_SECOND_FACTOR', 'The code or the passkey is not valid.', { details });
  return { refused, auditedEmail: user.email };
}

export function secondFactorRequired({ challenge, methods, webauthn }: LoginChallenge): Refusal {
  const details = { challenge, methods, ...(webauthn ? { webauthn } : {}) };
  return refuse('SECOND_FACTOR_REQUIRED', 'A second factor is required: POST /admin/login/second-factor.', { details });
}
