// The first step of a login: a challenge for every number that is sent, and its code by message. Nobody learns which numbers are registered.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import { networkOf } from '../../auth/guesser.ts';
import { createOneTimeCodes, NO_CODE } from '../../auth/one-time-codes.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import * as store from './challenge-store.ts';
import { CODE_MS, CODES_PER_HOUR, type SessionContext, TRIES, USSD_CODE_TRIES } from './context.ts';
import { hashOf, newSecret } from './token-store.ts';

/** A challenge whose code was right. */
export interface Answered {
  subscriberId: string;
  phoneNumber: string;
  challengeHash: Buffer;
  /** A PIN that is set later ends the challenge. */
  pinSalt: Buffer;
}

export interface UssdCode {
  code: string;
  expiresAt: Date;
}

export type Challenges = ReturnType<typeof createChallenges>;

const ONE = { counted: 1, correct: 0 };

export function createChallenges(context: SessionContext) {
  const { database, holders, codeHasher, attemptCounts, notices, clock, codesPerMinute } = context;
  const common = { hasher: codeHasher, validMs: CODE_MS, clock };
  const codes = createOneTimeCodes({ ...common, purpose: 'customer_login', tries: TRIES });
  const ussdCodes = createOneTimeCodes({ ...common, purpose: 'customer_ussd_login', tries: USSD_CODE_TRIES.fromAll });

  /** Whether the challenge gets a code. It counts numbers that nobody has, too. */
  async function mayHaveCode(number: string, ip: string): Promise<boolean> {
    const [ofNumber, ofNetwork] = await Promise.all([
      attemptCounts.add(`customer-login:${number}`, ONE, HOUR_MS),
      attemptCounts.add(`customer-login-messages:${networkOf(ip)}`, ONE, MINUTE_MS),
    ]);
    return ofNumber.counted <= CODES_PER_HOUR && ofNetwork.counted <= codesPerMinute;
  }

  /** Returns the challenge. */
  async function open(number: string, ip: string): Promise<string> {
    const [holder, isWithinLimit] = await Promise.all([holders.byPhone(number), mayHaveCode(number, ip)]);
    const { secret, hash } = newSecret();
    const isSent = holder !== null && holder.status !== 'PENDING' && isWithinLimit;
    await database.transact(async (trx) => {
      const { code, columns } = codes.make(hash.toString('hex'));
      await store.insertChallenge(trx, {
        ...{ token_hash: hash, phone_number: number, subscriber_id: holder?.id ?? null },
        ...(isSent ? columns : NO_CODE),
        ...{ tries_left: TRIES, expires_at: columns.code_expires_at },
      });
      const minutes = CODE_MS / MINUTE_MS;
      if (isSent) await notices.tell(trx, { kind: 'login_code', subscriberId: holder.id, values: { code, minutes } });
    });
    notices.wake();
    return secret;
  }

  /** Counts the answer first, so that of concurrent ones no more are compared. Null: the code is wrong, or there is none. */
  function answer(actor: Actor, challenge: string, code: string): Promise<Answered | null> {
    const hash = hashOf(challenge);
    return database.transact(async (trx) => {
      const row = await store.lockChallenge(trx, hash);
      if (!row || row.tries_left <= 0 || row.expires_at.getTime() <= clock.now()) return null;
      await store.countTry(trx, row);
      if (row.subscriber_id === null) return null;
      const isRight = isOwnCode(row, code) || (await isUssdCode(trx, actor, row, code));
      if (!isRight) return null;
      const pinSalt = await store.readPinSalt(trx, row.subscriber_id);
      return { subscriberId: row.subscriber_id, phoneNumber: row.phone_number, challengeHash: hash, pinSalt };
    });
  }

  function isOwnCode(row: store.ChallengeRow, code: string): boolean {
    return codes.isValid(row) && codes.matches(row.token_hash.toString('hex'), code, row);
  }

  /** Whoever knows the number can open challenges: the tries of one network do not end the holder's code. */
  async function isUssdCode(
    trx: store.Trx,
    { ip }: Actor,
    { subscriber_id, phone_number }: store.ChallengeRow,
    code: string,
  ): Promise<boolean> {
    const row = subscriber_id === null ? undefined : await store.lockUssdCode(trx, subscriber_id);
    if (!row || !ussdCodes.isValid(row) || row.phone_number !== phone_number) return false;
    const subject = `customer-ussd-code:${subscriber_id}:${row.sent_at.getTime()}:${networkOf(ip)}`;
    const tries = await attemptCounts.add(subject, ONE, CODE_MS);
    if (tries.counted > USSD_CODE_TRIES.perNetwork) return false;
    if (ussdCodes.matches(`${subscriber_id}:${phone_number}`, code, row)) return true;
    await store.countWrongUssdCode(trx, row);
    return false;
  }

  return {
    open,
    answer,

    /**
     * A code that the customer reads on the USSD page: it opens any challenge of the number. It costs no message and is not
     * counted, so that the holder always gets in, however many challenges others open.
     */
    async ussdCode({ caller }: CustomerActor): Promise<UssdCode> {
      if (caller.channel !== 'ussd') throw new Error('a login code was asked for on another channel');
      return database.transact(async (trx) => {
        const phone_number = await store.phoneNumberOf(trx, caller.id);
        const { code, columns } = ussdCodes.make(`${caller.id}:${phone_number}`);
        const sent_at = new Date(clock.now());
        await store.saveUssdCode(trx, { subscriber_id: caller.id, phone_number, ...columns, sent_at });
        return { code, expiresAt: columns.code_expires_at };
      });
    },
  };
}
