// Login sessions: started with a password and, if enrolled, a second factor. Refresh tokens work once; reuse ends the session.
import type { Actor } from '../../../audit/log.ts';
import type { RepeatedEvents } from '../../../audit/repeated-events.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import { waitUntil } from '../../../auth/fixed-time.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Answer, LoginChallenge } from '../second-factor/service.ts';
import {
  findOwnedUserByPhone,
  findUserByEmail,
  lockUser,
  type UserRow,
  updateUser,
  userWithPassword,
} from '../users/service.ts';
import type { Locked } from './attempts.ts';
import { endAccess, endAllSessions, endSession } from './end-session.ts';
import { refreshSession } from './refresh-session.ts';
import { answerChallenge, challengeUser, type SecondStep, secondFactorRequired } from './second-step.ts';
import { hashToken, startSession, type TokenPair } from './start-session.ts';
import { deleteSessionsBefore } from './store.ts';

export { createAttempts } from './attempts.ts';
export { endAccess, otherSessionsOpen } from './end-session.ts';
export { doneReply, everywhere, loginBody, secondFactorBody, tokensReply } from './schemas.ts';
export type { TokenPair } from './start-session.ts';

export interface SessionsDependencies extends SecondStep {
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  database: Database;
  readPhone: PhoneReader;
}

export interface Sessions {
  /** `email` may also be the phone number of an agent's or processor's user. */
  login(actor: Actor, credentials: { email: string; password: string }): Promise<TokenPair | Refusal>;
  /** The second step, for users who have a second factor. */
  finishLogin(actor: Actor, answer: Answer & { challenge: string }): Promise<TokenPair | Refusal>;
  /** `retryWindowMs`: for so long after its use a token works again, if the reply with the next one did not arrive. */
  refresh(actor: Actor, refreshToken: string, options?: { retryWindowMs?: number }): Promise<TokenPair | Refusal>;
  /** Does not reveal whether the session existed. `everywhere` is refused if it leaves sessions open. */
  logout(actor: Actor, refreshToken: string, options?: LogoutOptions): Promise<Refusal | null>;
  changePassword(actor: Actor, user: UserCaller, change: PasswordChange): Promise<Refusal | null>;
  /** Deletes expired sessions and attempts. */
  prune(): Promise<number>;
}

export interface LogoutOptions {
  /** Ends every session and access token of the user. */
  everywhere?: boolean;
}

export interface PasswordChange {
  current_password: string;
  new_password: string;
}

/** Auditing takes longer for the first refusal of a minute; a fixed time hides which users exist. */
const REFUSAL_MS = 20;

export function createSessions(deps: SessionsDependencies): Sessions {
  const { database, readPhone, clock, attempts, secondFactors } = deps;
  const { queries } = database;

  /**
   * Resolves a login name to an email, so that attempts by email and by phone number share one count. An unknown number
   * takes the same path as a known one and fails there.
   */
  async function emailOf(name: string): Promise<string> {
    const number = readPhone(name);
    if (number === null) return name;
    return (await findOwnedUserByPhone(queries, number))?.email ?? number;
  }

  /** A correct password does not clear the count of a user with a second factor, who could else guess codes without end. */
  function tryPassword(email: string, password: string) {
    const check = () => userWithPassword(queries, email, password);
    return attempts.attempt(email, check, (user) => user.second_factor_at !== null);
  }

  async function refuseLogin(actor: Actor, email: string, refusal: Refusal): Promise<Refusal> {
    const refusedAt = performance.now() + REFUSAL_MS;
    const user = await findUserByEmail(queries, email);
    const { code } = refusal;
    // All unknown names share a key, so that inventing names does not fill the log.
    await deps.repeatedEvents.record({
      key: JSON.stringify(['session.login', user?.id, code]),
      action: 'session.login.refused',
      ...(user ? { resourceType: 'user', resourceId: user.id } : {}),
      details: { ...(user ? { email: user.email } : {}), code },
      sample: { name: 'address', listName: 'addresses', value: actor.ip },
      actor,
    });
    await waitUntil(refusedAt);
    return refusal;
  }

  /** Attempts at a locked email are audited once per window. */
  function refuseLocked(actor: Actor, email: string, { refusal, first }: Locked): Promise<Refusal> | Refusal {
    return first ? refuseLogin(actor, email, refusal) : refusal;
  }

  return {
    async login(actor, { email: name, password }) {
      const email = await emailOf(name);
      const attempted = await tryPassword(email, password);
      if ('locked' in attempted) return refuseLocked(actor, email, attempted.locked);
      const user = attempted.result;
      const outcome = user && (await database.transact((trx) => acceptPassword(deps, trx, actor, user)));
      if (!outcome) return refuseLogin(actor, email, wrongLogin());
      return 'challenge' in outcome ? secondFactorRequired(outcome) : outcome;
    },

    async finishLogin(actor, answer) {
      if ((answer.code === undefined) === (answer.assertion === undefined)) {
        return refuse('INVALID_REQUEST', 'code or assertion is required, not both.');
      }
      const answered = await database.transact((trx) => answerChallenge(deps, trx, actor, answer));
      if ('pair' in answered) return answered.pair;
      const { refused, auditedEmail } = answered;
      return auditedEmail === null ? refused : refuseLogin(actor, auditedEmail, refused);
    },

    async refresh(actor, refreshToken, { retryWindowMs = 0 } = {}) {
      const token = { hash: hashToken(refreshToken), retryWindowMs };
      // The transaction returns null instead of a refusal: the revocation after a token reuse must be committed.
      const pair = await database.transact((trx) => refreshSession(deps, trx, actor, token));
      return pair ?? refuse('UNAUTHORIZED', 'The refresh token is unknown, expired or revoked.');
    },

    async logout(actor, refreshToken, { everywhere = false } = {}) {
      const end = everywhere ? endAllSessions : endSession;
      return database.transact((trx) => end(deps, trx, actor, hashToken(refreshToken)));
    },

    async changePassword(actor, { id, email }, change) {
      if (!isStrongPassword(change.new_password)) {
        return refuse('INVALID_REQUEST', `new_password ${PASSWORD_RULE}.`);
      }
      if (change.new_password === change.current_password) {
        return refuse('INVALID_REQUEST', 'new_password must differ from current_password.');
      }
      const attempted = await tryPassword(email, change.current_password);
      if ('locked' in attempted) return attempted.locked.refusal;
      const user = attempted.result;
      if (user?.id !== id) return wrongPassword();
      const password_hash = await hashPassword(change.new_password);
      return database.transact((trx) => replacePassword(deps, trx, actor, user, password_hash));
    },

    async prune() {
      const sessions = await deleteSessionsBefore(queries, new Date(clock.now()));
      return sessions + (await attempts.prune()) + (await secondFactors.prune());
    },
  };
}

/** Null if the user was suspended or the password changed after the password check. */
async function acceptPassword(
  deps: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  known: UserRow,
): Promise<TokenPair | LoginChallenge | null> {
  const user = await lockUser(trx, known.id);
  if (user?.status !== 'active' || user.password_hash !== known.password_hash) return null;
  return user.second_factor_at === null ? startSession(deps, trx, actor, user) : challengeUser(deps, trx, actor, user);
}

async function replacePassword(
  { audit, clock }: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  known: UserRow,
  password_hash: string,
): Promise<Refusal | null> {
  const user = await lockUser(trx, known.id);
  // Of two concurrent changes, the second was authorized with a password that is no longer valid.
  if (user?.password_hash !== known.password_hash) return wrongPassword();
  await updateUser(trx, user.id, { password_hash, must_change_password: false, updated_at: new Date(clock.now()) });
  await endAccess(trx, user, clock);
  await audit.record(trx, actor, { action: 'password.change', resourceType: 'user', resourceId: user.id });
  return null;
}

function wrongLogin(): Refusal {
  return refuse('UNAUTHORIZED', 'The login name or the password is wrong.');
}

function wrongPassword(): Refusal {
  return refuse('UNAUTHORIZED', 'current_password is wrong.');
}
