// A login's second step: a challenge after the password, and the second factor that answers it.
import type { Actor } from '../../../audit/log.ts';
import type { Queries } from '../../../db/database.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Answer, LoginChallenge, SecondFactors } from '../second-factor/service.ts';
import { lockUser, type UserRow } from '../users/service.ts';
import type { Attempts, Locked } from './attempts.ts';
import { type Browser, knownBrowser } from './known-browsers.ts';
import { callerOf, type SessionStart, startSession, type TokenPair } from './start-session.ts';

export interface SecondStep extends SessionStart {
  attempts: Attempts;
  secondFactors: Pick<
    SecondFactors,
    'challenge' | 'hasPasskeys' | 'challengePasskey' | 'openChallenge' | 'answer' | 'prune'
  >;
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
export type Answered = { pair: TokenPair } | { refused: Refusal; auditedEmail: string | null; forToday?: boolean };

/**
 * Counts, verifies and starts the session in one transaction under the lock of the user's row. However many answers arrive at
 * any number of gateways, they are verified one after another.
 */
export async function answerChallenge(
  deps: SecondStep,
  trx: Queries,
  actor: Actor,
  { challenge, browser, ...answer }: Answer & { challenge: string; browser: Browser },
): Promise<Answered> {
  const { attempts, secondFactors } = deps;
  const found = await secondFactors.openChallenge(trx, challenge);
  const user = found === null ? undefined : await lockUser(trx, found.user_id);
  // Read again under the lock: another answer may have consumed it, or the access of the user may have ended.
  const open = user && (await secondFactors.openChallenge(trx, challenge));
  if (user?.status !== 'active' || !open) {
    return {
      refused: refuse('UNAUTHORIZED', 'The challenge is unknown, expired or used up: log in again.'),
      auditedEmail: null,
    };
  }
  const trusted = await knownBrowser(trx, { browser, email: user.email, now: deps.clock.now() });
  const guesser = { email: user.email, ip: actor.ip, trusted };
  const { locked, left } = await attempts.count(trx, guesser);
  // Assertions cannot be guessed, so the failures of others do not lock a passkey out.
  if (locked && answer.assertion === undefined) return refuseLocked(user, locked);
  if (open.passkey_only) delete answer.code;
  const outcome = await secondFactors.answer(trx, user.id, challenge, answer);
  if (typeof outcome === 'string') {
    const refused = open.passkey_only ? await refusePassword(deps, trx, actor, user, open.password_right) : null;
    if (refused) return refused;
    await attempts.clear(trx, guesser);
    return { pair: await startSession(deps, trx, actor, user, { browser, second_factor: outcome }) };
  }
  const details = { attempts_remaining: Math.min(left, outcome.triesLeft) };
  const refused = refuse('INVALID_SECOND_FACTOR', 'The code or the passkey is not valid.', { details });
  return { refused, auditedEmail: user.email };
}

/** Attempts at a locked email are audited once per window. */
function refuseLocked({ email }: UserRow, { refusal, first, forToday }: Locked): Answered {
  return { refused: refusal, auditedEmail: first ? email : null, forToday };
}

/** The passkey was right, and only its owner gets here: wrong passwords have a count that nobody else can use up. */
async function refusePassword(
  { attempts }: SecondStep,
  trx: Queries,
  { ip }: Actor,
  user: UserRow,
  isRight: boolean,
): Promise<Answered | null> {
  const guesser = { email: user.email, ip, trusted: 'passkey' };
  const { locked } = await attempts.count(trx, guesser);
  if (locked) return refuseLocked(user, locked);
  if (!isRight) return { refused: wrongLogin(), auditedEmail: user.email };
  await attempts.clear(trx, guesser);
  return null;
}

/** The password was not counted, and the reply does not depend on it. Null if the user has no passkey. */
export async function offerPasskey(
  { secondFactors }: SecondStep,
  trx: Queries,
  userId: string,
  known: UserRow | null,
): Promise<LoginChallenge | null> {
  const user = await lockUser(trx, userId);
  if (user?.status !== 'active') return null;
  return secondFactors.challengePasskey(trx, userId, known !== null && known.password_hash === user.password_hash);
}

export function wrongLogin(): Refusal {
  return refuse('UNAUTHORIZED', 'The login name or the password is wrong.');
}

export function secondFactorRequired({ challenge, methods, webauthn }: LoginChallenge): Refusal {
  const details = { challenge, methods, ...(webauthn ? { webauthn } : {}) };
  return refuse('SECOND_FACTOR_REQUIRED', 'A second factor is required: POST /admin/login/second-factor.', { details });
}
