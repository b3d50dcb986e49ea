// Login sessions: started with a password and, if enrolled, a second factor. Refresh tokens work once; reuse ends the session.
import type { Actor } from '../../../audit/log.ts';
import type { RepeatedEvents } from '../../../audit/repeated-events.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import { waitUntil } from '../../../auth/fixed-time.ts';
import { type Guesser, sessionGuesser } from '../../../auth/guesser.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
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
import { type Browser, deleteBrowsersBefore, knownBrowser } from './known-browsers.ts';
import { refreshSession } from './refresh-session.ts';
import {
  answerChallenge,
  challengeUser,
  offerPasskey,
  type SecondStep,
  secondFactorRequired,
  wrongLogin,
} from './second-step.ts';
import { hashToken, startSession, type TokenPair } from './start-session.ts';
import { deleteSessionsBefore } from './store.ts';

export { createAttempts } from './attempts.ts';
export { endAccess, otherSessionsOpen, revokeAccess } from './end-session.ts';
export { BROWSER_MS } from './known-browsers.ts';
export { createPasswordRecovery, type PasswordRecovery } from './recovery.ts';
export { doneReply, everywhere, loginBody, secondFactorBody, tokensReply } from './schemas.ts';
export type { TokenPair } from './start-session.ts';

export interface SessionsDependencies extends SecondStep {
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  database: Database;
  messaging: Pick<Messaging, 'send'>;
  readPhone: PhoneReader;
}

export interface Sessions {
  /** `email` may also be the phone number of an agent's or processor's user. */
  login(actor: Actor, credentials: Credentials, options?: LoginOptions): Promise<TokenPair | Refusal>;
  /** The second step, for users who have a second factor. */
  finishLogin(
    actor: Actor,
    answer: Answer & { challenge: string },
    options?: LoginOptions,
  ): Promise<TokenPair | Refusal>;
  /** `retryWindowMs`: for so long after its use a token works again, if the reply with the next one did not arrive. */
  refresh(actor: Actor, refreshToken: string, options?: { retryWindowMs?: number }): Promise<TokenPair | Refusal>;
  /** Does not reveal whether the session existed. `everywhere` is refused if it leaves sessions open. */
  logout(actor: Actor, refreshToken: string, options?: LogoutOptions): Promise<Refusal | null>;
  changePassword(actor: Actor, user: UserCaller, change: PasswordChange): Promise<Refusal | null>;
  /** Deletes expired sessions and attempts. */
  prune(): Promise<number>;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface LoginOptions {
  browser?: Browser;
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
  function tryPassword(guesser: Guesser, password: string) {
    const check = () => userWithPassword(queries, guesser.email, password);
    return attempts.attempt(guesser, check, (user) => user.second_factor_at !== null);
  }

  async function guesserAt(actor: Actor, email: string, browser: Browser): Promise<Guesser> {
    return { email, ip: actor.ip, trusted: await knownBrowser(queries, { browser, email, now: clock.now() }) };
  }

  async function refuseLogin(
    actor: Actor,
    email: string,
    refusal: Refusal,
    { forToday = false }: { forToday?: boolean } = {},
  ): Promise<Refusal> {
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
    if (forToday && user) await database.transact((trx) => tellUser(deps, trx, user));
    await waitUntil(refusedAt);
    return refusal;
  }

  /** Attempts at a locked email are audited once per window. A passkey gets its chance all the same. */
  async function refuseLocked(actor: Actor, email: string, password: string, locked: Locked): Promise<Refusal> {
    if (locked.first) await refuseLogin(actor, email, locked.refusal, locked);
    const user = await findUserByEmail(queries, email);
    if (!user || !(await secondFactors.hasPasskeys(queries, user.id))) return locked.refusal;
    const known = await userWithPassword(queries, email, password);
    const challenge = await database.transact((trx) => offerPasskey(deps, trx, user.id, known));
    return challenge ? secondFactorRequired(challenge) : locked.refusal;
  }

  return {
    async login(actor, { email: name, password }, { browser } = {}) {
      const email = await emailOf(name);
      const attempted = await tryPassword(await guesserAt(actor, email, browser), password);
      if ('locked' in attempted) return refuseLocked(actor, email, password, attempted.locked);
      const user = attempted.result;
      const outcome = user && (await database.transact((trx) => acceptPassword(deps, trx, actor, user, browser)));
      if (!outcome) return refuseLogin(actor, email, wrongLogin());
      return 'challenge' in outcome ? secondFactorRequired(outcome) : outcome;
    },

    async finishLogin(actor, answer, { browser } = {}) {
      if ((answer.code === undefined) === (answer.assertion === undefined)) {
        return refuse('INVALID_REQUEST', 'code or assertion is required, not both.');
      }
      const answered = await database.transact((trx) => answerChallenge(deps, trx, actor, { ...answer, browser }));
      if ('pair' in answered) return answered.pair;
      const { refused, auditedEmail } = answered;
      return auditedEmail === null ? refused : refuseLogin(actor, auditedEmail, refused, answered);
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

    async changePassword(actor, caller, change) {
      if (!isStrongPassword(change.new_password)) {
        return refuse('INVALID_REQUEST', `new_password ${PASSWORD_RULE}.`);
      }
      if (change.new_password === change.current_password) {
        return refuse('INVALID_REQUEST', 'new_password must differ from current_password.');
      }
      const attempted = await tryPassword(sessionGuesser(caller, actor.ip), change.current_password);
      if ('locked' in attempted) return attempted.locked.refusal;
      const user = attempted.result;
      if (user?.id !== caller.id) return wrongPassword();
      const password_hash = await hashPassword(change.new_password);
      return database.transact((trx) => replacePassword(deps, trx, actor, user, password_hash));
    },

    async prune() {
      const now = new Date(clock.now());
      const sessions = (await deleteSessionsBefore(queries, now)) + (await deleteBrowsersBefore(queries, now));
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
  browser: Browser,
): Promise<TokenPair | LoginChallenge | null> {
  const user = await lockUser(trx, known.id);
  if (user?.status !== 'active' || user.password_hash !== known.password_hash) return null;
  if (user.second_factor_at !== null) return challengeUser(deps, trx, actor, user);
  return startSession(deps, trx, actor, user, { browser });
}

/** Once a day, if the user has a phone number. */
async function tellUser({ attempts, messaging }: SessionsDependencies, trx: Queries, user: UserRow): Promise<void> {
  if (!(await attempts.markTold(trx, user.email)) || user.phone_number === null) return;
  const text =
    'Kissi: more than 50 wrong passwords or codes were entered for your login today. Until midnight UTC you can log in on browsers where you logged in before, or with a passkey. If it was not you, tell your administrator.';
  await messaging.send(trx, { to: user.phone_number, kind: 'login_limit', text });
}

async function replacePassword(
  { audit, clock }: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  known: UserRow,
  password_hash: string,
): Promise<Refusal | null> {
  const user = await lockUser(trx, known.id);
  // The second of two concurrent changes was authorized with a password that is no longer valid.
  if (user?.password_hash !== known.password_hash) return wrongPassword();
  await updateUser(trx, user.id, { password_hash, must_change_password: false, updated_at: new Date(clock.now()) });
  await endAccess(trx, user, clock);
  await audit.record(trx, actor, { action: 'password.change', resourceType: 'user', resourceId: user.id });
  return null;
}

function wrongPassword(): Refusal {
  return refuse('UNAUTHORIZED', 'current_password is wrong.');
}
