// Sessions of staff: a password begins one, each refresh token carries it on once, and a stolen one ends it.
import { createHash, randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { UserCaller } from '../../../auth/caller.ts';
import { hashPassword, passwordMatches } from '../../../auth/passwords.ts';
import type { Role } from '../../../auth/roles.ts';
import { ACCESS_TOKEN_SECONDS, type AccessTokens, REFRESH_TOKEN_MS } from '../../../auth/tokens.ts';
import type { Database, Queries } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
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
import { endAccess } from './end-access.ts';
import {
  deleteSessionsBefore,
  findToken,
  insertSession,
  insertToken,
  prolongSession,
  revokeSession,
  spendToken,
} from './store.ts';

export { endAccess } from './end-access.ts';

export interface SessionsDependencies {
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
  /** `email`: or the telephone number of an agent's or processor's user. */
  login(actor: Actor, credentials: { email: string; password: string }): Promise<TokenPair | Refusal>;
  refresh(actor: Actor, refreshToken: string): Promise<TokenPair | Refusal>;
  /** Says nothing about whether there was such a session. */
  logout(actor: Actor, refreshToken: string): Promise<void>;
  changePassword(actor: Actor, user: UserCaller, change: PasswordChange): Promise<Refusal | null>;
  /** Forgets sessions and attempts that are over. */
  prune(): Promise<number>;
}

export interface PasswordChange {
  current_password: string;
  new_password: string;
}

export function createSessions(deps: SessionsDependencies): Sessions {
  const { database, audit, readPhone, clock } = deps;
  const { queries } = database;
  const attempts = createAttempts({ queries, clock });

  /**
   * The email that a login name stands for. Attempts at a user count together under whichever name they are made; a number
   * that is nobody's goes the same way as one that is somebody's, and no further.
   */
  async function emailOf(name: string): Promise<string> {
    const number = readPhone(name);
    if (number === null) return name;
    return (await findOwnedUserByPhone(queries, number))?.email ?? number;
  }

  /** Neither a wrong password nor the sentence it is refused in tells whether there is such a user. */
  async function activeUser(email: string, password: string): Promise<UserRow | null> {
    const user = await findUserByEmail(queries, email);
    const right = await passwordMatches(password, user?.password_hash ?? null);
    return user && right && user.status === 'active' ? user : null;
  }

  async function refuseLogin(actor: Actor, email: string, refusal: Refusal): Promise<Refusal> {
    const user = await findUserByEmail(queries, email);
    const details = { ...(user ? { email: user.email } : {}), code: refusal.code };
    const about = user ? { resourceType: 'user', resourceId: user.id } : {};
    await audit.record(queries, actor, { action: 'session.login.refused', ...about, details });
    return refusal;
  }

  /** Of a flood against one locked email the audit log hears once a window. */
  function refuseLocked(actor: Actor, email: string, { refusal, first }: Locked): Promise<Refusal> | Refusal {
    return first ? refuseLogin(actor, email, refusal) : refusal;
  }

  return {
    async login(actor, { email: name, password }) {
      const email = await emailOf(name);
      const attempted = await attempts.attempt(email, () => activeUser(email, password));
      if ('locked' in attempted) return refuseLocked(actor, email, attempted.locked);
      const user = attempted.result;
      const pair = user && (await database.transact((trx) => begin(deps, trx, actor, user)));
      return pair ?? refuseLogin(actor, email, wrongLogin());
    },

    async refresh(actor, refreshToken) {
      const hash = hashToken(refreshToken);
      // Not a refusal inside: what a reused token brings about has to be committed.
      const pair = await database.transact((trx) => carryOn(deps, trx, actor, hash));
      return pair ?? refuse('UNAUTHORIZED', 'The refresh token is unknown, expired or revoked.');
    },

    async logout(actor, refreshToken) {
      await database.transact((trx) => end(deps, trx, actor, hashToken(refreshToken)));
    },

    async changePassword(actor, { id, email }, change) {
      if (!isStrongPassword(change.new_password)) {
        return refuse('INVALID_REQUEST', `new_password ${PASSWORD_RULE}.`);
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

/** Null when the user was suspended, or given another password, since the password was looked at. */
async function begin(
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
  // Tokens do not say which session they are of: one that begins now must not find open what another has opened.
  await closeAccess(trx, user.id);
  const about = { resourceType: 'session', resourceId: id };
  await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'session.login', ...about });
  return issuePair(deps, trx, user, id);
}

/** Within the transaction that holds the user's row: whoever ends this user's access ends this pair too. */
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

/** Locks go token → user → session here, and user → session wherever access is ended: never in a circle. */
async function carryOn(
  deps: SessionsDependencies,
  trx: Queries,
  actor: Actor,
  tokenHash: Buffer,
): Promise<TokenPair | null> {
  const now = new Date(deps.clock.now());
  const sessionId = await spendToken(trx, tokenHash, now);
  const token = await findToken(trx, tokenHash);
  if (!token) return null;
  if (sessionId === null) {
    if (token.used) await revokeStolen(deps, trx, actor, token);
    return null;
  }
  const user = await lockUser(trx, token.userId);
  if (user?.status !== 'active') return null;
  const alive = await prolongSession(trx, sessionId, new Date(now.getTime() + REFRESH_TOKEN_MS));
  return alive ? issuePair(deps, trx, user, sessionId) : null;
}

/** A dead token came back: either the thief or the owner has the living one, so nobody keeps it. */
async function revokeStolen(
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

async function end(deps: SessionsDependencies, trx: Queries, actor: Actor, tokenHash: Buffer): Promise<void> {
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
  // Of two changes at once the second was made with a password that no longer counts.
  if (user?.password_hash !== known.password_hash) return wrongPassword();
  await updateUser(trx, user.id, { password_hash, updated_at: new Date(clock.now()) });
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
