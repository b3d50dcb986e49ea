// Registers a subscriber: record, PIN, wallet and audit entry in one transaction.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { isAgentUser, isStaff } from '../../auth/caller.ts';
import { newPinRefusal } from '../../auth/pins/refusals.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { kycLimits } from '../../kernel/kyc.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { openAccount } from '../../ledger/accounts.ts';
import { phoneTakenRefusal, RESOURCE, type SubscriberContext } from './context.ts';
import { birthRefusal, readPhone } from './input.ts';
import type { createPhoneVerification } from './phone-verification.ts';
import type { SubscriberRow } from './record.ts';
import { claimKey, firstRegistration, registrationKey } from './registration-requests.ts';
import type { registration } from './schemas.ts';
import { insertSubscriber, type NewSubscriber, phoneTaken } from './store.ts';

export type Registration = Static<typeof registration>;

/** The default of the column. */
const DEFAULT_MAX_CHILD_CARDS = 4;

/** Who dials from a number has it. */
export interface NumberProof {
  isProven: boolean;
  /** The agent that entered the customer before. */
  agentId?: string | null;
}

async function openWallet(
  trx: DatabaseTransaction,
  { id, kyc_level, status, created_at }: SubscriberRow,
): Promise<void> {
  const { maxBalance: ceiling, dailyLimit } = kycLimits(kyc_level);
  await openAccount(trx, {
    id,
    kind: 'wallet',
    ceiling,
    dailyLimit,
    frozen: status !== 'ACTIVE',
    openedAt: created_at,
  });
}

type PhoneVerification = Pick<
  ReturnType<typeof createPhoneVerification>,
  'messageRefusal' | 'endUnverified' | 'sendFirst'
>;

export function createRegistration(context: SubscriberContext, verification: PhoneVerification) {
  const { database, audit, pins, phone, clock, refuseCommonPins, verifyPhones, lookupLimit } = context;

  function read(actor: Actor, input: Registration, proof: NumberProof): NewSubscriber | Refusal {
    if (input.status !== undefined && !isStaff(actor.caller)) {
      return refuse('FORBIDDEN', 'Only staff can register a subscriber as PENDING.');
    }
    if (actor.caller.kind === 'public' && (input.max_child_cards ?? 0) > DEFAULT_MAX_CHILD_CARDS) {
      return refuse('INVALID_REQUEST', `max_child_cards must not exceed ${DEFAULT_MAX_CHILD_CARDS}.`);
    }
    const refusal =
      newPinRefusal(input.pin, { refuseCommon: refuseCommonPins }) ?? birthRefusal(input.date_of_birth, clock);
    if (refusal) return refusal;
    const phoneNumber = readPhone(input.phone_number, phone);
    return phoneNumber instanceof Refusal ? phoneNumber : newSubscriber(actor, input, phoneNumber, proof);
  }

  function newSubscriber(actor: Actor, input: Registration, phoneNumber: string, proof: NumberProof): NewSubscriber {
    const { caller } = actor;
    const isUnproven = verifyPhones && !proof.isProven;
    const now = new Date(clock.now());
    return {
      id: newId('sub', clock),
      phone_number: phoneNumber,
      first_name: tidy(input.first_name),
      last_name: tidy(input.last_name),
      email: input.email ?? null,
      date_of_birth: input.date_of_birth ?? null,
      address: tidyOptional(input.address) ?? null,
      // The interface registers a number as ACTIVE. PHONE_VERIFICATION asks for a code first, no matter who registers it:
      // a single user could otherwise receive what is sent to somebody else's number.
      status: isUnproven ? 'PENDING' : (input.status ?? 'ACTIVE'),
      phone_verified: !isUnproven,
      id_number: tidyOptional(input.id_number) ?? null,
      id_type: input.id_type ?? null,
      id_document_url: input.id_document_url ?? null,
      selfie_url: input.selfie_url ?? null,
      partner_wallet_id: null,
      max_child_cards: input.max_child_cards,
      registered_by_agent: isAgentUser(caller) ? caller.agentId : (proof.agentId ?? null),
      block_reason: null,
      blocked_at: null,
      blocked_by: null,
      created_at: now,
      updated_at: now,
    };
  }

  /** The unique index does not cover unverified numbers. If the number is taken later, the verification is refused. */
  async function codeRefusal(phoneNumber: string): Promise<Refusal | null> {
    if (await phoneTaken(database.queries, phoneNumber)) return phoneTakenRefusal();
    return verification.messageRefusal(phoneNumber);
  }

  return async function register(
    actor: Actor,
    input: Registration,
    proof: NumberProof = { isProven: false },
  ): Promise<SubscriberRow | Refusal> {
    const needsCode = verifyPhones && !proof.isProven;
    const subscriber = read(actor, input, proof);
    if (subscriber instanceof Refusal) return subscriber;
    const key = registrationKey(actor.caller, input.request_id);
    const first = key && (await firstRegistration(database.queries, key, subscriber));
    if (first) return first;
    const number = subscriber.phone_number;
    const taken = isGuesser(actor) && (await phoneTaken(database.queries, number)) ? number : null;
    const refusal =
      (await lookupLimit.ofRegistration(actor.caller, taken)) ?? (needsCode ? await codeRefusal(number) : null);
    if (refusal) return refusal;
    return database.transact(async (trx) => {
      // A concurrent request with the same id has committed.
      const isUsed = key && !(await claimKey(trx, key, subscriber.id));
      const repeated = isUsed ? await firstRegistration(trx, key, subscriber) : null;
      if (repeated) return repeated;
      await verification.endUnverified(trx, actor, number);
      const row = (await phoneTaken(trx, number)) ? null : await insertSubscriber(trx, subscriber);
      if (!row) return phoneTakenRefusal();
      if (needsCode) await verification.sendFirst(trx, row, { activates: input.status === undefined });
      await pins.setPin(trx, row.id, input.pin);
      await openWallet(trx, row);
      await audit.record(trx, actor, {
        action: 'subscriber.register',
        resourceType: RESOURCE,
        resourceId: row.id,
        details: { status: row.status },
      });
      return row;
    });
  };
}

/** Staff see all subscribers, and strangers are limited by their address. */
function isGuesser({ caller }: Actor): boolean {
  return caller.kind === 'key' || isAgentUser(caller);
}
