// Forgotten PINs and locked accounts: staff send a reset code to the holder's phone, or lift the lock.
import type { Actor, AuditEvent, ChangeContext } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { waitUntil } from '../../auth/fixed-time.ts';
import { networkOf } from '../../auth/guesser.ts';
import { createHourlyLimits, createOneTimeCodes, type HourlyLimit, TRIES } from '../../auth/one-time-codes.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { PinHasher } from '../../auth/pins/hasher.ts';
import { newPinRefusal } from '../../auth/pins/refusals.ts';
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { ok } from '../../http/endpoint.ts';
import { iso, MINUTE_MS } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy } from '../../kernel/text.ts';
import { reduceOutgoing } from '../../ledger/accounts.ts';
import { agentStatusRefusal } from '../../parties/agent.ts';
import type { CustomerAccess } from '../../parties/customer-access.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { ownPhoneChangeRefusal } from '../../parties/phone-change.ts';
import { endResetCode, REDUCED_MS } from '../../parties/pin-reset.ts';
import { notVerified } from '../../parties/registration.ts';
import { subscriberBlocked } from '../../parties/subscriber.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import type { Notices } from '../notices/service.ts';
import type { ResetRequest } from './schemas.ts';
import * as store from './store.ts';

export { guessingObserved } from './guess-notices.ts';

export interface PinsContext extends ChangeContext {
  pins: Pick<GuardedPins, 'setPin' | 'unlock'>;
  notices: Pick<Notices, 'tell'>;
  /** Hashes codes with a key, as PINs. */
  codeHasher: PinHasher;
  attemptCounts: Pick<AttemptCounts, 'add'>;
  pep: Pick<PepGuard, 'refusal'>;
  access: Pick<CustomerAccess, 'end'>;
  phone: PhoneReader;
  /** If true, very common PINs cannot be set. */
  refuseCommonPins: boolean;
}

interface Requested extends ResetRequest {
  kind: store.OwnerKind;
  id: string;
}

export interface PinReset {
  phone_number: string;
  code: string;
  new_pin: string;
}

const CODE_MS = 15 * MINUTE_MS;
/** Requests of codes per hour for one holder. One that needs approval counts again when it is executed. */
const MAX_CODES = 5;
/**
 * Attempts at one code from all networks. From one network it takes TRIES: anybody who knows the number could otherwise end
 * the code that the holder is about to enter.
 */
const CODE_TRIES = 30;
/** Attempts per hour at one number: from one network, and from all. Numbers that no holder has are counted too. */
const PER_NETWORK = 10;
const PER_NUMBER = 100;
/** Refusals take this long, so that their duration does not reveal whether the number has a holder or a code. */
const REFUSAL_MS = 150;

export type PinService = ReturnType<typeof createPinService>;

export function createPinService(context: PinsContext) {
  const { database, audit, pins, notices, codeHasher, attemptCounts, pep, access, phone, clock, refuseCommonPins } =
    context;

  const codes = createOneTimeCodes({
    hasher: codeHasher,
    purpose: 'pin_reset',
    validMs: CODE_MS,
    clock,
    tries: CODE_TRIES,
  });
  const hourlyRefusal = createHourlyLimits({ counts: attemptCounts, clock });
  const limitRefusal = (limits: HourlyLimit[]) => hourlyRefusal(limits, 'Too many PIN resets.');

  async function sendCode(trx: DatabaseTransaction, actor: Actor, owner: store.Owner, reason?: string): Promise<Date> {
    const { code, columns } = codes.make(codeHolder(owner));
    await store.saveReset(trx, {
      owner_id: owner.id,
      phone_number: owner.phone_number,
      ...columns,
      requested_by: String(actor.caller.id),
      sent_at: new Date(clock.now()),
    });
    await notices.tell(trx, {
      kind: 'pin_reset_code',
      ownerId: owner.id,
      values: { code, minutes: CODE_MS / MINUTE_MS },
    });
    const personal = personalReason(owner, reason);
    await audit.record(trx, actor, { action: `${owner.kind}.request_pin_reset`, ...auditResource(owner), personal });
    return columns.code_expires_at;
  }

  async function requestReset(trx: DatabaseTransaction, actor: Actor, { kind, id, reason }: Requested) {
    const owner = await store.lockOwner(trx, kind, id);
    if (!owner) return noSuchOwner(kind);
    const refusal =
      (await pep.refusal(actor, owner, 'pin', trx)) ??
      statusRefusal(owner) ??
      (await ownPhoneChangeRefusal(trx, participants(actor), owner, clock.now())) ??
      (await limitRefusal([{ subject: `pin-reset-code:${id}`, limit: MAX_CODES }]));
    return refusal ?? sendCode(trx, actor, owner, reason);
  }

  /** Returns when the code expires. */
  function resetOperation(kind: store.OwnerKind): ChangeOperation<{ id: string }, ResetRequest, Date> {
    return {
      kind: 'change',
      name: `${kind}s.reset_pin`,
      action: 'pin.reset',
      describe: ({ params }) => `Send a code for a new PIN to the phone of ${kind} ${params.id}.`,
      before: async () => null,
      after: () => null,
      plan:
        (actor, { params, body }) =>
        (trx) =>
          requestReset(trx, actor, { kind, id: params.id, ...body }),
      approverRefusal: (trx, approver, { params }) => ownPhoneChangeRefusal(trx, [approver], params, clock.now()),
      holderId: ({ params }) => params.id,
      reply: (expiresAt) => ok({ success: true, message: 'A code was sent to the phone.', expires_at: iso(expiresAt) }),
      ...(kind === 'subscriber' ? { subscriberId: ({ params }: { params: { id: string } }) => params.id } : {}),
    };
  }

  /** The code confirms only the number it was sent to. */
  function isUsable(owner: store.Owner, reset: store.ResetRow): boolean {
    return reset.phone_number === owner.phone_number && statusRefusal(owner) === null;
  }

  async function setPin(trx: DatabaseTransaction, actor: Actor, owner: store.Owner, pin: string): Promise<Date> {
    const now = new Date(clock.now());
    const until = new Date(now.getTime() + REDUCED_MS);
    // Also lifts the lock: the holder proved the number.
    await pins.setPin(trx, owner.id, pin);
    await endResetCode(trx, owner.id);
    const floor = await reduceOutgoing(trx, owner.id, { now, until });
    await store.markReset(trx, owner, now, floor);
    if (owner.kind === 'subscriber') await access.end(trx, { subscriberId: owner.id, reason: 'pin_reset' });
    await notices.tell(trx, { kind: 'pin_reset_done', ownerId: owner.id, values: {} });
    const details = { reduced_until: iso(until) };
    await audit.record(trx, actor, { action: `${owner.kind}.reset_pin`, ...auditResource(owner), details });
    return until;
  }

  /** Counts the attempt first, so that of concurrent ones no more are compared. */
  async function mayTry({ ip }: Actor, { owner_id, sent_at }: store.ResetRow): Promise<boolean> {
    const subject = `pin-reset-try:${owner_id}:${sent_at.getTime()}:${networkOf(ip)}`;
    return (await attemptCounts.add(subject, { counted: 1, correct: 0 }, CODE_MS)).counted <= TRIES;
  }

  /** Null if the code is wrong. A refusal would roll back the attempt count. */
  async function complete(trx: DatabaseTransaction, actor: Actor, number: string, { code, new_pin }: PinReset) {
    const wrong: store.ResetRow[] = [];
    for (const owner of await store.lockOwnersByPhone(trx, number)) {
      const reset = await store.lockReset(trx, owner.id);
      if (!reset || !codes.isValid(reset) || !isUsable(owner, reset) || !(await mayTry(actor, reset))) continue;
      if (codes.matches(codeHolder(owner), code, reset)) return setPin(trx, actor, owner, new_pin);
      wrong.push(reset);
    }
    for (const reset of wrong) await store.countWrongCode(trx, reset);
    return null;
  }

  return {
    /** Sends a code to the holder's phone. */
    requestSubscriberReset: resetOperation('subscriber'),
    requestAgentReset: resetOperation('agent'),

    /** Replaces the PIN of the holder of the number. Returns until when outgoing payments are reduced. */
    async reset(actor: Actor, body: PinReset): Promise<Date | Refusal> {
      const refusedAt = performance.now() + REFUSAL_MS;
      const badPin = newPinRefusal(body.new_pin, { field: 'new_pin', refuseCommon: refuseCommonPins });
      if (badPin) return badPin;
      const number = phone(body.phone_number);
      if (number === null) return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
      const limited = await limitRefusal([
        { subject: `pin-reset:${number}:${networkOf(actor.ip)}`, limit: PER_NETWORK },
        { subject: `pin-reset:${number}`, limit: PER_NUMBER },
      ]);
      if (limited) return limited;
      const until = await database.transact((trx) => complete(trx, actor, number, body));
      if (until !== null) return until;
      await waitUntil(refusedAt);
      return refuse('INVALID_OTP', 'The code is wrong or no longer valid.');
    },

    /** Lifts the lock of a subscriber's PIN after wrong attempts. */
    unlock(actor: Actor, id: string, reason?: string): Promise<true | Refusal> {
      return database.transact(async (trx) => {
        const owner = await store.lockOwner(trx, 'subscriber', id);
        if (!owner) return noSuchOwner('subscriber');
        const pepRefusal = await pep.refusal(actor, owner, 'pin', trx);
        if (pepRefusal) return pepRefusal;
        if (!(await pins.unlock(trx, id))) return refuse('NOT_LOCKED', 'The account is not locked.');
        const personal = personalReason(owner, reason);
        await audit.record(trx, actor, { action: 'subscriber.unlock', ...auditResource(owner), personal });
        return true;
      });
    },
  };
}

/** The requester and, if the reset was approved, the approver. */
function participants({ caller, approval }: Actor): Caller[] {
  return [caller, ...(approval ? [approval.approvedBy] : [])];
}

function codeHolder({ id, phone_number }: store.Owner): string {
  return `${id}:${phone_number}`;
}

function personalReason({ kind, id }: store.Owner, reason: string | undefined): NonNullable<AuditEvent['personal']> {
  const subscriberId = kind === 'subscriber' ? id : null;
  return { subscriberId, texts: reason === undefined ? {} : { reason: tidy(reason) } };
}

function auditResource({ kind, id }: store.Owner) {
  return { resourceType: kind, resourceId: id };
}

function statusRefusal(owner: store.Owner): Refusal | null {
  if (owner.kind === 'agent') return agentStatusRefusal(owner);
  if (owner.status === 'PENDING') return refuse('SUBSCRIBER_BLOCKED', 'The subscriber is not active yet.');
  if (owner.status !== 'ACTIVE') return subscriberBlocked();
  return owner.phone_verified ? null : notVerified('A code for a new PIN is sent to a verified number only.');
}

function noSuchOwner(kind: store.OwnerKind): Refusal {
  return refuse('NOT_FOUND', `There is no such ${kind}.`);
}
