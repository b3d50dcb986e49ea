// Logins of customers: with a code and the PIN on a new device, with the device's token and the PIN afterwards.
import type { Actor, CustomerActor } from '../../audit/log.ts';
import { customerCaller } from '../../auth/caller.ts';
import { waitUntil } from '../../auth/fixed-time.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { subscriberBlocked } from '../../parties/subscriber.ts';
import { deleteUssdCode, readPinSalt, useChallenge } from './challenge-store.ts';
import type { Answered, Challenges } from './challenges.ts';
import { DEVICE_MS, RETRY_MS, type SessionContext } from './context.ts';
import { type Customer, lockCustomer } from './device-store.ts';
import type { CustomerSessions, DeviceLogin } from './sessions.ts';
import { hashOf, stateOfToken, useToken } from './token-store.ts';

export interface CodeLogin {
  challenge: string;
  code: string;
  pin: string;
  device_name: string;
}

export interface TokenLogin {
  device_token: string;
  pin: string;
}

/** Replies that must not tell what was found take this long. */
const REPLY_MS = 100;

/** What a login does once the PIN is right, under the customer's lock. Null: it is refused, and what it wrote stays. */
type Finish = (trx: DatabaseTransaction, customer: Customer, actor: CustomerActor) => Promise<DeviceLogin | null>;

export function createLogin(context: SessionContext, challenges: Challenges, sessions: CustomerSessions) {
  const { database, pins, phone, clock } = context;

  /** The PIN is compared, and must still be right when the session begins: a reset or a lock in between ends nothing later. */
  async function withPin(actor: CustomerActor, pin: string, refused: () => Refusal, finish: Finish) {
    const { id } = actor.caller;
    for (;;) {
      const status = await database.queries
        .selectFrom('subscribers')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirst();
      if (status?.status !== 'ACTIVE') return subscriberBlocked();
      const verdict = await pins.verify(actor.caller, id, pin);
      if (verdict.outcome !== 'right') return pinRefusal(verdict, 'customer');
      const login = await database.transact(async (trx) => {
        const customer = await lockCustomer(trx, id);
        if (customer?.status !== 'ACTIVE') return subscriberBlocked();
        if (!(await pins.holds(trx, id, verdict.version))) return 'again';
        return finish(trx, customer, actor);
      });
      if (login !== 'again') return login ?? refused();
    }
  }

  function finishWithCode({ challengeHash, phoneNumber }: Answered, name: string): Finish {
    return async (trx, customer, actor) => {
      // Another login used the challenge, or the number has changed.
      if (customer.phone_number !== phoneNumber || !(await useChallenge(trx, challengeHash))) return null;
      // A code opens one login, whether it was this one or not.
      await deleteUssdCode(trx, customer.id);
      return sessions.startSession(trx, await sessions.addDevice(trx, actor, name));
    };
  }

  function finishWithToken(hash: Buffer): Finish {
    return async (trx, _customer, actor) => {
      const device = await openDevice(trx, actor, hash);
      if (!device) return null;
      await useToken(trx, device.token, clock.now());
      return sessions.startSession(trx, device.device);
    };
  }

  /** The reuse of an old token ends the device: somebody else has a copy of it, or had one. */
  async function openDevice(trx: DatabaseTransaction, actor: CustomerActor, hash: Buffer) {
    const found = await sessions.deviceOf(trx, hash);
    if (!found || found.device.ended_at !== null) return null;
    const now = clock.now();
    if (found.device.last_used_at.getTime() + DEVICE_MS <= now) return null;
    const state = await stateOfToken(trx, found.token, { now, retryMs: RETRY_MS.device });
    if (state === 'reused') await sessions.endDevice(trx, actor, found.device.id, 'token_reused');
    return state === 'valid' || state === 'retry' ? found : null;
  }

  return {
    /** Returns the challenge. */
    async begin(phoneNumber: string, ip: string): Promise<string | Refusal> {
      const repliedAt = performance.now() + REPLY_MS;
      const number = phone(phoneNumber);
      if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
      const challenge = await challenges.open(number, ip);
      await waitUntil(repliedAt);
      return challenge;
    },

    async withCode(actor: Actor, { challenge, code, pin, device_name }: CodeLogin): Promise<DeviceLogin | Refusal> {
      const refusedAt = performance.now() + REPLY_MS;
      const badForm = pinFormRefusal(pin);
      if (badForm) return badForm;
      const answered = await challenges.answer(actor, challenge, code);
      if (answered === null) {
        await waitUntil(refusedAt);
        return wrongCode();
      }
      const customer = { ...actor, caller: customerCaller(answered.subscriberId, answered.pinSalt) };
      return withPin(customer, pin, wrongCode, finishWithCode(answered, device_name));
    },

    async withToken(actor: Actor, { device_token, pin }: TokenLogin): Promise<DeviceLogin | Refusal> {
      const badForm = pinFormRefusal(pin);
      if (badForm) return badForm;
      const hash = hashOf(device_token);
      const known = await database.transact(async (trx) => {
        const found = await sessions.deviceOf(trx, hash);
        const customer = found && (await lockCustomer(trx, found.device.subscriber_id));
        if (!customer) return null;
        const as = { ...actor, caller: customerCaller(customer.id, await readPinSalt(trx, customer.id)) };
        return (await openDevice(trx, as, hash)) ? as : null;
      });
      return known === null ? unknownDevice() : withPin(known, pin, unknownDevice, finishWithToken(hash));
    },
  };
}

function wrongCode(): Refusal {
  return refuse('INVALID_CODE', 'The code is wrong or no longer valid. Log in again for a new one.');
}

function unknownDevice(): Refusal {
  return refuse('UNAUTHORIZED', 'This device is not known, or no longer. Log in with a code.');
}
