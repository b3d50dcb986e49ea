// Forgotten passwords: a code goes to the user's phone, and with it a new password replaces the old one. Nobody learns which names exist.
import { randomBytes } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import { waitUntil } from '../../../auth/fixed-time.ts';
import { networkOf } from '../../../auth/guesser.ts';
import { createOneTimeCodes, NO_CODE, TRIES } from '../../../auth/one-time-codes.ts';
import { hashPassword } from '../../../auth/passwords.ts';
import type { PinHasher } from '../../../auth/pins/hasher.ts';
import type { AttemptCounts } from '../../../db/attempt-counts.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import { isStrongPassword, PASSWORD_RULE } from '../../../kernel/password-policy.ts';
import type { PhoneReader } from '../../../kernel/phone.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
import { findOwnedUserByPhone, findUserByEmail, lockUser, type UserRow, updateUser } from '../users/service.ts';
import { revokeAccess } from './end-session.ts';
import * as store from './recovery-store.ts';
import { callerOf, hashToken } from './start-session.ts';

export interface RecoveryDependencies {
  database: Database;
  audit: AuditLog;
  messaging: Pick<Messaging, 'send' | 'wake'>;
  readPhone: PhoneReader;
  hasher: PinHasher;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  clock: Clock;
}

export interface NewPassword {
  challenge: string;
  code: string;
  new_password: string;
}

export interface PasswordRecovery {
  /** Returns a challenge for any name, an email or the phone number of an agent's or merchant's user. */
  begin(actor: Actor, name: string): Promise<string>;
  finish(actor: Actor, answer: NewPassword): Promise<Refusal | null>;
  prune(): Promise<number>;
}

const CODE_MS = 10 * MINUTE_MS;
const CODES_PER_DAY = { ofName: 5, ofNetwork: 100 };
const ONE = { counted: 1, correct: 0 };
/** A message takes longer than none; a fixed time hides which names exist. */
const REPLY_MS = 50;

type Answered = Pick<store.RecoveryRow, 'token_hash'> & { userId: string; phoneNumber: string };

export function createPasswordRecovery(dependencies: RecoveryDependencies): PasswordRecovery {
  const { database, audit, messaging, readPhone, hasher, attemptCounts, clock } = dependencies;
  const { queries } = database;
  const codes = createOneTimeCodes({ hasher, purpose: 'password_recovery', validMs: CODE_MS, clock });

  async function findByName(name: string): Promise<UserRow | undefined> {
    const number = readPhone(name);
    return number === null ? findUserByEmail(queries, name) : findOwnedUserByPhone(queries, number);
  }

  /** It counts names that nobody has, too. A number is one name, however it is written. */
  async function mayHaveCode(name: string, ip: string): Promise<boolean> {
    const [ofName, ofNetwork] = await Promise.all([
      attemptCounts.add(`password-recovery:${readPhone(name) ?? name.toLowerCase()}`, ONE, DAY_MS),
      attemptCounts.add(`password-recovery-of:${networkOf(ip)}`, ONE, DAY_MS),
    ]);
    return ofName.counted <= CODES_PER_DAY.ofName && ofNetwork.counted <= CODES_PER_DAY.ofNetwork;
  }

  /** Counts the answer first, so that of concurrent ones no more are compared. Null: the code is wrong, or there is none. */
  function answer(challenge: string, code: string): Promise<Answered | null> {
    return database.transact(async (trx) => {
      const row = await store.lockRecovery(trx, hashToken(challenge));
      if (!row || row.tries_left <= 0 || row.expires_at.getTime() <= clock.now()) return null;
      await store.countTry(trx, row);
      const { user_id, phone_number, token_hash } = row;
      if (user_id === null || phone_number === null) return null;
      const isRight = codes.isValid(row) && codes.matches(holderOf(token_hash, user_id, phone_number), code, row);
      return isRight ? { token_hash, userId: user_id, phoneNumber: phone_number } : null;
    });
  }

  /** False if the recovery, the user or the number is no longer the same. */
  async function replacePassword(trx: Queries, actor: Actor, answered: Answered, password_hash: string) {
    const { token_hash, userId, phoneNumber } = answered;
    const user = await lockUser(trx, userId);
    if (user?.status !== 'active' || user.phone_number !== phoneNumber) return false;
    if (!(await store.removeRecovery(trx, token_hash))) return false;
    const now = new Date(clock.now());
    const change = { password_hash, must_change_password: false, password_recovered_at: now, updated_at: now };
    await updateUser(trx, userId, change);
    await revokeAccess(trx, user, clock);
    const about = { resourceType: 'user', resourceId: userId };
    await audit.record(trx, { ...actor, caller: callerOf(user) }, { action: 'password.recover', ...about });
    await messaging.send(trx, { to: phoneNumber, kind: 'password_recovered', text: RECOVERED });
    return true;
  }

  return {
    async begin({ ip }, name) {
      const repliesAt = performance.now() + REPLY_MS;
      const [user, isWithinLimit] = await Promise.all([findByName(name), mayHaveCode(name, ip)]);
      const challenge = randomBytes(32).toString('base64url');
      const token_hash = hashToken(challenge);
      const to = user?.status === 'active' && isWithinLimit ? user.phone_number : null;
      await database.transact(async (trx) => {
        const { code, columns } = codes.make(holderOf(token_hash, user?.id ?? '', to ?? ''));
        const expires = { tries_left: TRIES, expires_at: columns.code_expires_at };
        if (!user || to === null) return store.insertRecovery(trx, { token_hash, ...NO_CODE, ...expires });
        await store.insertRecovery(trx, { token_hash, user_id: user.id, phone_number: to, ...columns, ...expires });
        await messaging.send(trx, { to, kind: 'password_code', text: codeText(code) });
      });
      messaging.wake();
      await waitUntil(repliesAt);
      return challenge;
    },

    async finish(actor, { challenge, code, new_password }) {
      if (!isStrongPassword(new_password)) return refuse('INVALID_REQUEST', `new_password ${PASSWORD_RULE}.`);
      const answered = await answer(challenge, code);
      if (!answered) return wrongCode();
      const hash = await hashPassword(new_password);
      const isReplaced = await database.transact((trx) => replacePassword(trx, actor, answered, hash));
      if (isReplaced) messaging.wake();
      return isReplaced ? null : wrongCode();
    },

    prune: () => store.deleteRecoveriesBefore(queries, new Date(clock.now())),
  };
}

/** A code that was moved to another recovery, user or number no longer matches. */
function holderOf(tokenHash: Buffer, userId: string, phoneNumber: string): string {
  return `${tokenHash.toString('hex')}:${userId}:${phoneNumber}`;
}

const codeText = (code: string) =>
  `Kissi: ${code} is your code for a new password. It is valid for ${CODE_MS / MINUTE_MS} minutes. If you did not ask for it, ignore this message.`;
const RECOVERED =
  'Kissi: your password was replaced with a code sent to this phone. If it was not you, tell your administrator at once.';

function wrongCode(): Refusal {
  return refuse('INVALID_CODE', 'The code is wrong or has expired, or no code was sent.');
}
