// One-time codes that confirm the phone number of a registration, or a changed one. Row locks serialise the attempts at one code.
import { type Actor, type Author, SYSTEM } from '../../audit/log.ts';
import {
  createHourlyLimits,
  createOneTimeCodes,
  NO_CODE,
  noCodeRefusal,
  wrongCodeRefusal,
} from '../../auth/one-time-codes.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { violatedConstraint } from '../../db/driver/errors.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { Refusal, refuse, refuseForNow } from '../../kernel/refusal.ts';
import { runEach } from '../../kernel/run-each.ts';
import { changeAccount } from '../../ledger/accounts.ts';
import { ENDED, hasEnded, isUnverified, UNVERIFIED_MS } from '../../parties/registration.ts';
import { phoneTakenRefusal, RESOURCE, type SubscriberContext, subscriberNotFound } from './context.ts';
import type { SubscriberRow } from './record.ts';
import { lockSubscriber, PHONE_KEY, updateSubscriber } from './store.ts';
import * as store from './verification-store.ts';

const CODE_MS = 15 * MINUTE_MS;
/** Codes of one registration or change. */
const MAX_CODES = 4;
const MIN_INTERVAL_MS = MINUTE_MS;
/** Messages per hour to one number, no matter who asks for them. */
const CODES_PER_HOUR = 3;
/**
 * Codes that are compared for one number in a day: a new registration or a new code allows no further guesses. Anybody can
 * register a number, so that guesses at its registrations do not count for the wallet whose changed number it is.
 */
const GUESSES_PER_DAY = 9;
const TOO_MANY_CODES = 'Too many codes were sent to this number.';

const TOO_MANY_GUESSES = 'Too many codes were tried for this number.';
const ONE = { counted: 1, correct: 0 };
const BATCH = 100;

type Sent = Pick<store.VerificationRow, 'codes_sent' | 'activates'>;
type Sendable = Pick<SubscriberRow, 'id' | 'phone_number'>;

export function createPhoneVerification(context: SubscriberContext) {
  const { database, audit, notices, codeHasher, attemptCounts, clock } = context;
  const codes = createOneTimeCodes({ hasher: codeHasher, purpose: 'phone_code', validMs: CODE_MS, clock });
  const hourlyRefusal = createHourlyLimits({ counts: attemptCounts, clock });

  /** Counts a message to the number, for all gateways. */
  function messageRefusal(phoneNumber: string): Promise<Refusal | null> {
    return hourlyRefusal([{ subject: `phone-code:${phoneNumber}`, limit: CODES_PER_HOUR }], TOO_MANY_CODES);
  }

  /** Replaces the previous code. */
  async function send(trx: DatabaseTransaction, { id, phone_number }: Sendable, sent: Sent): Promise<void> {
    const { code, columns } = codes.make(`${id}:${phone_number}`);
    const sent_at = new Date(clock.now());
    await store.saveCode(trx, { subscriber_id: id, phone_number, ...columns, ...sent, sent_at });
    // Without the name that was registered: anyone could send texts of their own to any number.
    const values = { code, minutes: CODE_MS / MINUTE_MS };
    await notices.tell(trx, { kind: 'phone_code', subscriberId: id, to: phone_number, values });
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
    const refusal = await messageRefusal(row.phone_number);
    if (refusal) return refusal;
    await send(trx, row, { codes_sent: verification.codes_sent + 1, activates: verification.activates });
    await audit.record(trx, actor, { action: 'subscriber.resend_code', resourceType: RESOURCE, resourceId: id });
    return true;
  }

  /** Locks the subscriber before the code, as everywhere. */
  async function lockUnverified(trx: DatabaseTransaction, id: string) {
    const row = await lockSubscriber(trx, id);
    const verification = row && (await store.lockVerification(trx, id));
    if (!row || !verification || hasEnded(row, clock.now())) return subscriberNotFound();
    if (row.phone_verified) {
      return refuse('NOT_PENDING', 'The phone number of this subscriber is already verified.');
    }
    return { row, verification };
  }

  async function guessRefusal(row: SubscriberRow): Promise<Refusal | null> {
    const subject = `${isUnverified(row) ? 'phone-guess' : 'changed-phone-guess'}:${row.phone_number}`;
    const { counted, startedAt } = await attemptCounts.add(subject, ONE, DAY_MS);
    if (counted <= GUESSES_PER_DAY) return null;
    return refuseForNow('TOO_MANY_ATTEMPTS', TOO_MANY_GUESSES, startedAt + DAY_MS - clock.now());
  }

  /** Ends the registrations of the number that are not verified, before the number is registered again or belongs to a wallet. */
  async function endUnverified(trx: DatabaseTransaction, author: Author, phoneNumber: string): Promise<void> {
    await store.lockNumber(trx, phoneNumber);
    for (const { id } of await store.lockUnverifiedByPhone(trx, phoneNumber)) {
      await end(trx, author, id, 'subscriber.replace_registration');
    }
  }

  async function end(trx: DatabaseTransaction, author: Author, id: string, action: string): Promise<void> {
    await store.updateVerification(trx, id, NO_CODE);
    await updateSubscriber(trx, id, { status: ENDED, partner_wallet_id: null, updated_at: new Date(clock.now()) });
    await audit.record(trx, author, { action, resourceType: RESOURCE, resourceId: id });
  }

  function endIfDue(id: string): Promise<void> {
    return database.transact(async (trx) => {
      const row = await lockSubscriber(trx, id);
      if (row && hasEnded(row, clock.now())) await end(trx, SYSTEM, id, 'subscriber.expire_registration');
    });
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
    // The code confirms only the number it was sent to.
    const isSent = verification.phone_number === row.phone_number;
    if (!isSent || !codes.isValid(verification)) return noCodeRefusal();
    const tooMany = await guessRefusal(row);
    if (tooMany) return tooMany;
    if (!codes.matches(`${id}:${row.phone_number}`, code, verification)) return store.countWrongCode(trx, verification);
    const now = new Date(clock.now());
    const isRegistration = isUnverified(row);
    // A registration has replaced all others. It must not wait for a later one, which waits for its row.
    if (!isRegistration) await endUnverified(trx, actor, row.phone_number);
    await store.updateVerification(trx, id, { ...NO_CODE, verified_at: now });
    const activates = isRegistration && verification.activates;
    const status = activates ? 'ACTIVE' : row.status;
    const changed = await updateSubscriber(trx, id, { status, phone_verified: true, updated_at: now });
    if (activates) await changeAccount(trx, id, { frozen: false });
    await audit.record(trx, actor, { action: 'subscriber.verify_phone', resourceType: RESOURCE, resourceId: id });
    return changed;
  }

  return {
    messageRefusal,
    endUnverified,
    /** The first code, in the transaction of the registration. `activates`: the code also activates the wallet. */
    sendFirst: (trx: DatabaseTransaction, subscriber: Sendable, { activates }: { activates: boolean }) =>
      send(trx, subscriber, { codes_sent: 1, activates }),

    /** A code to the changed number. Beyond the limit of the number, the holder asks for it later. */
    async sendForChange(trx: DatabaseTransaction, subscriber: Sendable): Promise<void> {
      const { id, phone_number } = subscriber;
      const isLimited = (await messageRefusal(phone_number)) !== null;
      if (!isLimited) return send(trx, subscriber, { codes_sent: 1, activates: false });
      const sent = { codes_sent: 0, activates: false, sent_at: new Date(clock.now()) };
      await store.saveCode(trx, { subscriber_id: id, phone_number, ...NO_CODE, ...sent });
    },

    /** Ends registrations that were not verified in time. */
    async endExpired(): Promise<void> {
      const until = new Date(clock.now() - UNVERIFIED_MS);
      await runEach(await store.expiredRegistrations(database.queries, until, BATCH), endIfDue);
    },

    resendCode: (actor: Actor, id: string): Promise<true | Refusal> =>
      database.transact((trx) => resend(trx, actor, id)),

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

function tooManyCodes(msLeft: number): Refusal {
  return refuseForNow('RATE_LIMITED', TOO_MANY_CODES, msLeft);
}
