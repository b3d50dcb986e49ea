// Registers a subscriber: record, PIN, wallet and audit entry in one transaction.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import type { Transact } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { kycLimits } from '../../kernel/kyc.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { tidy, tidyOptional } from '../../kernel/text.ts';
import { openAccount } from '../../ledger/accounts.ts';
import { phoneTakenRefusal, RESOURCE, type SubscriberContext } from './context.ts';
import { birthRefusal, readPhone } from './input.ts';
import type { SubscriberRow } from './record.ts';
import type { registration } from './schemas.ts';
import { insertSubscriber, type NewSubscriber } from './store.ts';

export type Registration = Static<typeof registration>;

async function openWallet(trx: Transact, { id, kyc_level, status, created_at }: SubscriberRow): Promise<void> {
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

export function createRegistration({ database, audit, pins, phone, clock }: SubscriberContext) {
  function read(actor: Actor, given: Registration): NewSubscriber | Refusal {
    if (given.status !== undefined && !isStaff(actor.caller)) {
      return refuse('FORBIDDEN', 'Only staff can register a subscriber as PENDING.');
    }
    const refusal = pinFormRefusal(given.pin) ?? birthRefusal(given.date_of_birth, clock);
    if (refusal) return refusal;
    const phoneNumber = readPhone(given.phone_number, phone);
    return phoneNumber instanceof Refusal ? phoneNumber : newSubscriber(given, phoneNumber);
  }

  function newSubscriber(given: Registration, phoneNumber: string): NewSubscriber {
    const now = new Date(clock.now());
    return {
      id: newId('sub', clock),
      phone_number: phoneNumber,
      first_name: tidy(given.first_name),
      last_name: tidy(given.last_name),
      email: given.email ?? null,
      date_of_birth: given.date_of_birth ?? null,
      address: tidyOptional(given.address) ?? null,
      status: given.status ?? 'ACTIVE',
      id_number: tidyOptional(given.id_number) ?? null,
      id_type: given.id_type ?? null,
      id_document_url: given.id_document_url ?? null,
      selfie_url: given.selfie_url ?? null,
      partner_wallet_id: null,
      max_child_cards: given.max_child_cards,
      block_reason: null,
      blocked_at: null,
      blocked_by: null,
      created_at: now,
      updated_at: now,
    };
  }

  return async function register(actor: Actor, given: Registration): Promise<SubscriberRow | Refusal> {
    const subscriber = read(actor, given);
    if (subscriber instanceof Refusal) return subscriber;
    return database.transact(async (trx) => {
      const row = await insertSubscriber(trx, subscriber);
      if (!row) return phoneTakenRefusal();
      await pins.setPin(trx, row.id, given.pin);
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
