// Sends and verifies the one-time codes for PEP access. The user's row lock serializes verifications.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { createOneTimeCodes, noCodeRefusal, wrongCodeRefusal } from '../../../auth/one-time-codes.ts';
import type { PinHasher } from '../../../auth/pins/hasher.ts';
import type { Queries } from '../../../db/database.ts';
import { iso, MINUTE_MS } from '../../../kernel/clock.ts';
import { Refusal, refuse, refuseForNow } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';
import { type AccessRow, countWrongCode, lockAccess, openAccess, saveCode } from './store.ts';

interface CodeOwner {
  status: string;
  pep_access_authorized: boolean;
  phone_number: string | null;
}

export interface PepCodeContext extends ChangeContext {
  messaging: Pick<Messaging, 'send'>;
  hasher: PinHasher;
  /** Locks the user's row until the transaction ends. */
  lockUser(trx: Queries, id: string): Promise<CodeOwner | undefined>;
}

export interface SentCode {
  expiresAt: Date;
  /** E.164. */
  phoneNumber: string;
}

const CODE_MS = 5 * MINUTE_MS;
const ACCESS_MS = 15 * MINUTE_MS;
/** Allows 15 guesses in 15 minutes at one million codes; the user receives a message for every three. */
const MAX_CODES = 5;
const WINDOW_MS = 15 * MINUTE_MS;

export function createCodes({ database, audit, messaging, hasher, lockUser, clock }: PepCodeContext) {
  const codes = createOneTimeCodes({ hasher, purpose: 'pep_code', validMs: CODE_MS, clock });

  /** Re-checks under lock: the user may have been suspended or lost the authorization since authentication. */
  async function lockAuthorized(trx: Queries, userId: string): Promise<CodeOwner | Refusal> {
    const user = await lockUser(trx, userId);
    if (user?.status === 'active' && user.pep_access_authorized) return user;
    return refuse('FORBIDDEN', 'This user is not authorized to access PEP accounts.');
  }

  async function send(trx: Queries, actor: Actor, userId: string): Promise<SentCode | Refusal> {
    const user = await lockAuthorized(trx, userId);
    if (user instanceof Refusal) return user;
    if (user.phone_number === null) return noPhoneNumber();
    const counted = countCode(await lockAccess(trx, userId), clock.now());
    if (counted instanceof Refusal) return counted;
    const { code, columns } = codes.make(userId);
    const { code_expires_at: expiresAt } = columns;
    await saveCode(trx, { user_id: userId, ...columns, ...counted });
    await messaging.send(trx, { to: user.phone_number, kind: 'pep_code', text: textOf(code) });
    await audit.record(trx, actor, {
      action: 'pep.otp',
      ...{ resourceType: 'user', resourceId: userId, details: { expires_at: iso(expiresAt) } },
    });
    return { expiresAt, phoneNumber: user.phone_number };
  }

  /** A number means that the code was wrong: the attempts left. A refusal would roll back the attempt count. */
  async function verify(trx: Queries, actor: Actor, userId: string, code: string): Promise<Date | number | Refusal> {
    const user = await lockAuthorized(trx, userId);
    if (user instanceof Refusal) return user;
    const row = await lockAccess(trx, userId);
    if (!row || !codes.isValid(row)) return noCodeRefusal();
    if (!codes.matches(userId, code, row)) return countWrongCode(trx, row);
    const until = new Date(clock.now() + ACCESS_MS);
    await openAccess(trx, userId, until);
    await audit.record(trx, actor, {
      action: 'pep.verify',
      ...{ resourceType: 'user', resourceId: userId, details: { open_until: iso(until) } },
    });
    return until;
  }

  return {
    /** Sends a new code and invalidates the previous one. */
    sendCode: (actor: Actor, userId: string): Promise<SentCode | Refusal> =>
      database.transact((trx) => send(trx, actor, userId)),

    /** Returns when the access ends. */
    async verifyCode(actor: Actor, userId: string, code: string): Promise<Date | Refusal> {
      const verified = await database.transact((trx) => verify(trx, actor, userId, code));
      return typeof verified === 'number' ? wrongCodeRefusal(verified) : verified;
    },
  };
}

function countCode(row: AccessRow | undefined, now: number) {
  const startedAt = row?.window_started_at.getTime() ?? 0;
  if (!row || startedAt + WINDOW_MS <= now) return { codes_sent: 1, window_started_at: new Date(now) };
  if (row.codes_sent >= MAX_CODES) return tooManyCodes(startedAt + WINDOW_MS - now);
  return { codes_sent: row.codes_sent + 1, window_started_at: row.window_started_at };
}

function textOf(code: string): string {
  return `Your Kissi code for protected accounts: ${code}\nIt is valid for 5 minutes. Do not share it with anyone, staff included.`;
}

function noPhoneNumber(): Refusal {
  return refuse('NO_PHONE_NUMBER', 'This user has no phone_number to send a code to.');
}

function tooManyCodes(msLeft: number): Refusal {
  return refuseForNow('RATE_LIMITED', `${MAX_CODES} codes were sent in 15 minutes.`, msLeft);
}
