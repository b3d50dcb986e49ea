// Login sessions: started with a password, extended by single-use refresh tokens, revoked when a token is reused.
import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { RepeatedEvents } from '../../../audit/repeated-events.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import { hashPassword, passwordMatches } from '../../../auth/passwords.ts';
import type { Role } from '../../../auth/roles.ts';
import { ACCESS_TOKEN_SECONDS, type AccessTokens, REFRESH_TOKEN_MS } from '../../../auth/tokens.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, SECOND_MS } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { closeAccess } from '../pep/service.ts';
import {
  findOwnedUserByPhone,
  findUser,
  findUserByEmail,
  lockUser,
  type UserRow,
  updateUser,
} from '../users/service.ts';
import { createAttempts, type Locked } from './attempts.ts';
import {
  consumeToken,
  deleteSessionsBefore,
  extendSession,
  findToken,
  insertSession,
  insertToken,
  revokeSession,
  revokeSessionsOf,
} from './store.ts';

export interface SessionsDependencies {
  repeatedEvents: Pick<RepeatedEvents, 'record'>;
  database: Database;
  audit: AuditLog;
  tokens: AccessTokens;
  readPhone: PhoneReader;
  clock: Clock;
}

export interface TokenPair {
  token: string;
  refresh_token: string;
  expires_in: number;
}

export interface Sessions {
  /** `email` may also be the phone number of an agent's or processor's user. */
  login(actor: Actor, credentials: { email: string; password: string }): Promise<TokenPair | Refusal>;
  refresh(actor: Actor, refreshToken: string): Promise<TokenPair | Refusal>;
  /** Does not reveal whether the session existed. */
  logout(actor: Actor, refreshToken: string): Promise<void>;
  changePassword(actor: Actor, user: UserCaller, change: PasswordChange): Promise<Refusal | null>;
  /** Deletes expired sessions and attempts. */
  prune(): Promise<number>;
}

export interface PasswordChange {
  current_password: string;
  new_password: string;
}

export function createSessions(deps: SessionsDependencies): Sessions {
  const { database, readPhone, clock } = deps;
  const { queries } = database;
  const attempts = createAttempts({ queries, clock });

  /**
   * Resolves a login name to an email, so that attempts by email and by phone number share one count. An unknown number
   * takes the same path as a known one and fails there.
   */
  async function emailOf(name: string): Promise<string> {
    const number = readPhone(name);
    if (number === null) return name;
    return (await findOwnedUserByPhone(queries, number))?.email ?? number;
  }

  /** A wrong password and an unknown user are indistinguishable to the caller. */
  async function activeUser(email: string, password: string): Promise<UserRow | null> {
    const user = await findUserByEmail(queries, email);
    const matches = await passwordMatches(password, user?.password_hash ?? null);
    return user && matches && user.status === 'active' ? user : null;
  }

  async function refuseLogin(actor: Actor, email: string, refusal: Refusal): Promise<Refusal> {
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
    return refusal;
  }

  /** Attempts at a locked email are audited once per window. */
  function refuseLocked(actor: Actor, email: string, { refusal, first }: Locked): Promise<Refusal> | Refusal {
    return first ? refuseLogin(actor, email, refusal) : refusal;
  }

  return {
    async login(actor, { email: name, password }) {
      const email = await emailOf(name);
      const attempted = await attempts.attempt(email, () => activeUser(email, password));
      if ('locked' in attempted) return refuseLocked(actor, email, attempted.locked);
      const user = attempted.result;
      const pair = user && (await database.transact((trx) => startSession(deps, trx, actor, user)));
      return pair ?? refuseLogin(actor, email, wrongLogin());
    },

    async refresh(actor, refreshToken) {
      const hash = hashToken(refreshToken);
      // The transaction returns null instead of a refusal: the revocation after a token reuse must be committed.
      const pair = await database.transact((trx) => refreshSession(deps, trx, actor, hash));
      return pair ?? refuse('UNAUTHORIZED', 'The refresh token is unknown, expired or revoked.');
    },

    async logout(actor, refreshToken) {
      await database.transact((trx) => endSession(deps, trx, actor, hashToken(refreshToken)));
    },

    async changePassword(actor, { id, email }, change) {
      if (!isStrongPassword(change.new_password)) {
        return refuse('INVALID_REQUEST', `new_password ${PASSWORD_RULE}.`);
      }
      if (change.new_password === change.current_password) {
        return refuse('INVALID_REQUEST', 'new_password must differ from current_password.');
      }
      const attempted = await attempts.attempt(email, () => activeUser(email, change.current_password));
      if ('locked' in attempted) return attempted.locked.refusal;
      const user = attempted.result;
      if (user?.id !== id) return wrongPassword();
      const password_hash = await hashPassword(change.new_password);
      return database.transact((trx) => replacePassword(deps, trx, actor, user, password_hash));
    },

    async prune() {
      return (await deleteSessionsBefore(queries, new Date(clock.now()))) + (await attempts.prune());
    },
  };
}

/** Null if the user was suspended or the password changed after the password check. */
async function startSession(
  deps: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  known: UserRow,
): Promise<TokenPair | null> {
  const { audit, clock } = deps;
  const user = await lockUser(trx, known.id);
  if (user?.status !== 'active' || user.password_hash !== known.password_hash) return null;
  const now = new Date(clock.now());
  await updateUser(trx, user.id, { last_login_at: now });
  const id = newId('ses', clock);
  const session = { id, user_id: user.id, created_at: now, expires_at: new Date(now.getTime() + REFRESH_TOKEN_MS) };
  await insertSession(trx, session);
  // Access tokens do not identify their session: a new session must not inherit PEP access that another one opened.
  await closeAccess(trx, user.id);
  const about = { resourceType: 'session', resourceId: id };
  await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.login', ...about });
  return issuePair(deps, trx, user, id);
}

/** Runs in the transaction that locks the user's row, so that ending the user's access also ends this pair. */
async function issuePair(
  { tokens, clock }: SessionsDependencies,
  trx: Queries,
  user: UserRow,
  sessionId: string,
): Promise<TokenPair> {
  const refreshToken = randomBytes(32).toString('base64url');
  const expires_at = new Date(clock.now() + REFRESH_TOKEN_MS);
  await insertToken(trx, { token_hash: hashToken(refreshToken), session_id: sessionId, expires_at });
  return { token: await tokens.issue(user), refresh_token: refreshToken, expires_in: ACCESS_TOKEN_SECONDS };
}

/** Lock order: token → user → session here, user → session where access is ended; no deadlock is possible. */
async function refreshSession(
  deps: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  tokenHash: Buffer,
): Promise<TokenPair | null> {
  const now = new Date(deps.clock.now());
  const sessionId = await consumeToken(trx, tokenHash, now);
  const token = await findToken(trx, tokenHash);
  if (!token) return null;
  if (sessionId === null) {
    if (token.used) await revokeReused(deps, trx, actor, token);
    return null;
  }
  const user = await lockUser(trx, token.userId);
  if (user?.status !== 'active') return null;
  const alive = await extendSession(trx, sessionId, new Date(now.getTime() + REFRESH_TOKEN_MS));
  return alive ? issuePair(deps, trx, user, sessionId) : null;
}

/** A used token was presented again: the current one may be in the hands of a thief, so the session is revoked. */
async function revokeReused(
  { audit, clock }: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<void> {
  if (!(await revokeSession(trx, sessionId, new Date(clock.now())))) return;
  await closeAccess(trx, userId);
  const details = { user_id: userId, reason: 'a refresh token was used again' };
  await audit.record(trx, actor, {
    action: 'session.revoke',
    resourceType: 'session',
    resourceId: sessionId,
    details,
  });
}

async function endSession(deps: SessionsDependencies, trx: Queries, actor: Actor, tokenHash: Buffer): Promise<void> {
  const token = await findToken(trx, tokenHash);
  if (!token || !(await revokeSession(trx, token.sessionId, new Date(deps.clock.now())))) return;
  await closeAccess(trx, token.userId);
  const user = await findUser(trx, token.userId);
  const owner = user ? { ...actor, caller: callerOf(user) } : actor;
  const about = { resourceType: 'session', resourceId: token.sessionId };
  await deps.audit.record(trx, owner, { action: 'session.logout', ...about });
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

function callerOf(user: UserRow): UserCaller {
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

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function wrongLogin(): Refusal {
  return refuse('UNAUTHORIZED', 'The login name or the password is wrong.');
}

function wrongPassword(): Refusal {
  return refuse('UNAUTHORIZED', 'current_password is wrong.');
}

/** `user` must be locked by this transaction, which orders concurrent logins and refreshes before or after it. */
export async function endAccess(trx: Queries, user: UserRow, clock: Clock): Promise<void> {
  const now = clock.now();
  await updateUser(trx, user.id, { tokens_valid_from: afterAnyToken(user.tokens_valid_from, now) });
  await revokeSessionsOf(trx, user.id, new Date(now));
  await closeAccess(trx, user.id);
}

/**
 * The issue time of a token is in whole seconds, and right after a change it is the next second (see auth/tokens.ts).
 * The new bound is later than the issue time of any existing token.
 */
function afterAnyToken(validFrom: Date, now: number): Date {
  const latest = Math.ceil(validFrom.getTime() / SECOND_MS) * SECOND_MS;
  return new Date(Math.max(now, latest) + 1);
}
