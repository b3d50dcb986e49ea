// One-time codes that confirm the phone number of a public registration. Row locks serialise the attempts at one code.
import type { Actor } from '../../audit/log.ts';
import {
  createHourlyLimits,
  createOneTimeCodes,
  NO_CODE,
  noCodeRefusal,
  wrongCodeRefusal,
} from '../../auth/one-time-codes.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { networkOf } from '../../http/rate-limit.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { phoneTakenRefusal, RESOURCE, type SubscriberContext, subscriberNotFound } from './context.ts';
import type { SubscriberRow } from './record.ts';
import { lockSubscriber, PHONE_KEY, updateSubscriber } from './store.ts';
import { countWrongCode, lockVerification, saveCode, updateVerification } from './verification-store.ts';

const CODE_MS = 15 * MINUTE_MS;
/** Codes of one registration. */
const MAX_CODES = 4;
const MIN_INTERVAL_MS = MINUTE_MS;
/** Messages per hour to one number: from one client address, and from all. */
const PER_ADDRESS = 3;
const PER_NUMBER = 10;
const TOO_MANY_CODES = 'Too many codes were sent to this number.';

type Sendable = Pick<SubscriberRow, 'id' | 'phone_number'>;

export function createPhoneVerification(context: SubscriberContext) {
  const { database, audit, messaging, codeHasher, attemptCounts, clock } = context;
  const codes = createOneTimeCodes({ hasher: codeHasher, purpose: 'phone_code', validMs: CODE_MS, clock });
  const hourlyRefusal = createHourlyLimits({ counts: attemptCounts, clock });

  /** Counts a message to the number, for all gateways. An address that reached its limit uses up nothing of the number's. */
  function messageRefusal({ ip }: Actor, phoneNumber: string): Promise<Refusal | null> {
    const limits = [
      { subject: `phone-code:${phoneNumber}:${networkOf(ip)}`, limit: PER_ADDRESS },
      { subject: `phone-code:${phoneNumber}`, limit: PER_NUMBER },
    ];
    return hourlyRefusal(limits, TOO_MANY_CODES);
  }

  /** Replaces the previous code. */
  async function send(trx: DatabaseTransaction, { id, phone_number }: Sendable, codesSent: number): Promise<void> {
    const { code, columns } = codes.make(id);
    const sent_at = new Date(clock.now());
    await saveCode(trx, { subscriber_id: id, phone_number, ...columns, codes_sent: codesSent, sent_at });
    await messaging.send(trx, { to: phone_number, kind: 'phone_code', text: textOf(code) });
  }

  async function resend(trx: DatabaseTransaction, actor: Actor, id: string): Promise<true | Refusal> {
    const found = await lockUnverified(trx, id);
    if (found instanceof Refusal) return found;
    const { row, verification } = found;
    const waitMs = verification.sent_at.getTime() + MIN_INTERVAL_MS - clock.now();
    if (waitMs > 0) return tooManyCodes(waitMs);
    if (verification.codes_sent >= MAX_CODES) {
      return refuse('TOO_MANY_ATTEMPTS', 'No more codes are sent for this registration: register again.');
    }
    const refusal = await messageRefusal(actor, row.phone_number);
    if (refusal) return refusal;
    await send(trx, row, verification.codes_sent + 1);
    await audit.record(trx, actor, { action: 'subscriber.resend_code', resourceType: RESOURCE, resourceId: id });
    return true;
  }

  /** Locks the subscriber before the code, as everywhere. */
  async function lockUnverified(trx: DatabaseTransaction, id: string) {
    const row = await lockSubscriber(trx, id);
    const verification = row && (await lockVerification(trx, id));
    if (!row || !verification) return subscriberNotFound();
    if (row.status !== 'PENDING' || row.phone_verified) {
      return refuse('NOT_PENDING', 'The phone number of this subscriber is already verified.');
    }
    return { row, verification };
  }

  /** A number means that the code was wrong: the attempts left. A refusal would roll back the attempt count. */
  async function verify(
    trx: DatabaseTransaction,
    actor: Actor,
    id: string,
    code: string,
  ): Promise<SubscriberRow | number | Refusal> {
    const found = await lockUnverified(trx, id);
    if (found instanceof Refusal) return found;
    const { row, verification } = found;
    // Staff may have changed the number: the code confirms only the number it was sent to.
    const isSent = verification.phone_number === row.phone_number;
    if (!isSent || !codes.isValid(verification)) return noCodeRefusal();
    if (!codes.matches(id, code, verification)) return countWrongCode(trx, verification);
    const now = new Date(clock.now());
    await updateVerification(trx, id, { ...NO_CODE, verified_at: now });
    const changed = await updateSubscriber(trx, id, { status: 'ACTIVE', phone_verified: true, updated_at: now });
    await changeAccount(trx, id, { frozen: false });
    await audit.record(trx, actor, { action: 'subscriber.verify_phone', resourceType: RESOURCE, resourceId: id });
    return changed;
  }

  return {
    messageRefusal,
    /** The first code, in the transaction of the registration. */
    sendFirst: (trx: DatabaseTransaction, subscriber: Sendable) => send(trx, subscriber, 1),

    resendCode: (actor: Actor, id: string): Promise<true | Refusal> =>
      database.transact((trx) => resend(trx, actor, id)),

    /** Of several registrations of one number, the first to be verified gets it. */
    async verifyPhone(actor: Actor, id: string, code: string): Promise<SubscriberRow | Refusal> {
      try {
        const verified = await database.transact((trx) => verify(trx, actor, id, code));
        return typeof verified === 'number' ? wrongCodeRefusal(verified) : verified;
      } catch (error) {
        if (violatedConstraint(error) === PHONE_KEY) return phoneTakenRefusal();
        throw error;
      }
    },
  };
}

/** Without the name that was registered: anyone could send texts of their own to any number. */
function textOf(code: string): string {
  return `Your Kissi registration code: ${code}\nIt is valid for 15 minutes. If you did not register, ignore this message and do not share the code.`;
}

function tooManyCodes(msLeft: number): Refusal {
  return refuseForNow('RATE_LIMITED', TOO_MANY_CODES, msLeft);
}
