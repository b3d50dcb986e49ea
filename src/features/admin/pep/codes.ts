// The one-time codes that open access: sent to the user's phone, judged one after another under the user's lock.
import { randomInt } from 'node:crypto';
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { PinHasher } from '../../../auth/pins/attempts.ts';
import type { Database, Queries } from '../../../db/database.ts';
import { type Clock, iso, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
import { type AccessRow, lockAccess, openAccess, saveCode, spendTry } from './store.ts';

interface CodeOwner {
  status: string;
  pep_access_authorized: boolean;
  phone_number: string | null;
}

export interface CodeParts {
  database: Database;
  audit: AuditLog;
  messaging: Pick<Messaging, 'send'>;
  hasher: PinHasher;
  /** Nobody else changes this user until the transaction ends. */
  lockUser(trx: Queries, id: string): Promise<CodeOwner | undefined>;
  clock: Clock;
}

export interface SentCode {
  expiresAt: Date;
  /** E.164. */
  phoneNumber: string;
}

const CODE_MS = 5 * MINUTE_MS;
const TRIES = 3;
const ACCESS_MS = 15 * MINUTE_MS;
/** Fifteen guesses in a quarter of an hour, at a million codes, and the phone rings for each three of them. */
const MAX_CODES = 5;
const WINDOW_MS = 15 * MINUTE_MS;

export function codes({ database, audit, messaging, hasher, lockUser, clock }: CodeParts) {
  /** Whoever lost the authorization, or was suspended, since the request was let in. */
  async function lockAuthorized(trx: Queries, userId: string): Promise<CodeOwner | Refusal> {
    const user = await lockUser(trx, userId);
    if (user?.status === 'active' && user.pep_access_authorized) return user;
    return refuse('FORBIDDEN', 'This user is not authorized to access PEP accounts.');
  }

  async function send(trx: Queries, actor: Actor, userId: string): Promise<SentCode | Refusal> {
    const user = await lockAuthorized(trx, userId);
    if (user instanceof Refusal) return user;
    if (user.phone_number === null) return noPhoneNumber();
    const now = clock.now();
    const counted = countCode(await lockAccess(trx, userId), now);
    if (counted instanceof Refusal) return counted;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const { salt, hash } = hasher.make(ownerOf(userId), code);
    const expiresAt = new Date(now + CODE_MS);
    const made = { code_salt: salt, code_hash: hash, code_expires_at: expiresAt, tries_left: TRIES };
    await saveCode(trx, { user_id: userId, ...made, ...counted });
    await messaging.send(trx, { to: user.phone_number, kind: 'pep_code', text: textOf(code) });
    await audit.record(trx, actor, {
      action: 'pep.otp',
      ...{ resourceType: 'user', resourceId: userId, details: { expires_at: iso(expiresAt) } },
    });
    return { expiresAt, phoneNumber: user.phone_number };
  }

  /** A number: the code was wrong, and so many tries are left. Not a refusal, which would undo the count. */
  async function judge(trx: Queries, actor: Actor, userId: string, code: string): Promise<Date | number | Refusal> {
    const user = await lockAuthorized(trx, userId);
    if (user instanceof Refusal) return user;
    const row = await lockAccess(trx, userId);
    const kept = row && codeInForce(row, clock.now());
    if (!row || !kept) return refuse('INVALID_OTP', 'There is no code in force: ask for a new one.', NONE_LEFT);
    if (!hasher.matches(ownerOf(userId), code, kept)) return spendTry(trx, row);
    const until = new Date(clock.now() + ACCESS_MS);
    await openAccess(trx, userId, until);
    await audit.record(trx, actor, {
      action: 'pep.verify',
      ...{ resourceType: 'user', resourceId: userId, details: { open_until: iso(until) } },
    });
    return until;
  }

  return {
    /** Sends a code, which ends the one before it. */
    sendCode: (actor: Actor, userId: string): Promise<SentCode | Refusal> =>
      database.transact((trx) => send(trx, actor, userId)),

    /** Until when access is open. */
    async verifyCode(actor: Actor, userId: string, code: string): Promise<Date | Refusal> {
      const judged = await database.transact((trx) => judge(trx, actor, userId, code));
      return typeof judged === 'number' ? wrongCode(judged) : judged;
    },
  };
}

/** Apart from the PINs that are hashed with the same key. */
function ownerOf(userId: string): string {
  return `pep_code:${userId}`;
}

function codeInForce({ code_salt: salt, code_hash: hash, code_expires_at }: AccessRow, now: number) {
  return salt && hash && code_expires_at && code_expires_at.getTime() > now ? { salt, hash } : null;
}

function countCode(row: AccessRow | undefined, now: number) {
  const startedAt = row?.window_started_at.getTime() ?? 0;
  if (!row || startedAt + WINDOW_MS <= now) return { codes_sent: 1, window_started_at: new Date(now) };
  if (row.codes_sent >= MAX_CODES) return tooManyCodes(startedAt + WINDOW_MS - now);
  return { codes_sent: row.codes_sent + 1, window_started_at: row.window_started_at };
}

function textOf(code: string): string {
  return `Your Kissi code for protected accounts: ${code}\nIt is good for 5 minutes. Pass it on to nobody, staff included.`;
}

const NONE_LEFT = { details: { attempts_remaining: 0 } };

function wrongCode(left: number): Refusal {
  const sentence = left === 0 ? 'The code is wrong, and over: ask for a new one.' : 'The code is wrong.';
  return refuse('INVALID_OTP', sentence, { details: { attempts_remaining: left } });
}

function noPhoneNumber(): Refusal {
  return refuse('NO_PHONE_NUMBER', 'This user has no phone_number that a code could be sent to.');
}

function tooManyCodes(msLeft: number): Refusal {
  const seconds = Math.max(1, Math.ceil(msLeft / SECOND_MS));
  return refuse('RATE_LIMITED', `${MAX_CODES} codes were sent in 15 minutes. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
