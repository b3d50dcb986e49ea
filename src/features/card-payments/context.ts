// Dependencies of card payments, and the checks of the calling key.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Caller, KeyCaller } from '../../auth/caller.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Hold } from '../../ledger/holds/lookup.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { CardLookups } from '../../parties/card.ts';
import type { LookupLimit } from '../../parties/lookup-limit.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { onlyProcessorOf, type PaidProcessor, processorStatusRefusal } from '../../parties/processor.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { Notifying } from '../../webhooks/merchant-event.ts';
import type { CardService } from '../cards/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';

export interface PaymentContext {
  audit: AuditLog;
  cards: CardLookups;
  findCard: CardService['find'];
  findProcessor: Load<string, PaidProcessor | null>;
  holders: Holders;
  subscribers: Pick<SubscriberService, 'find'>;
  pins: GuardedPins;
  books: Books;
  lookUp: MovementLookup;
  payments: Payments;
  notifying: Notifying;
  findHold: Load<string, Hold | null>;
  phone: PhoneReader;
  pep: PepGuard;
  pepPayments: Pick<PepPayments, 'refusal'>;
  lookupLimit: LookupLimit;
  /** If false, verify-card returns no balance. */
  verifyCardShowsBalance: boolean;
  clock: Clock;
}

export const PAYMENT = 'pos_payment';
export const REFUND = 'pos_refund';

/** For routes that accept only signed requests, which always come from a key. */
export function keyOf({ caller }: Pick<Actor, 'caller'>): KeyCaller {
  if (caller.kind !== 'key') throw new Error(`a payment was requested by a ${caller.kind}`);
  return caller;
}

/** A caller of a suspended processor is refused before anything is revealed about cards or their holders. */
export async function suspensionRefusal(
  caller: Caller,
  findProcessor: PaymentContext['findProcessor'],
): Promise<Refusal | null> {
  const own = await ownProcessor(caller, findProcessor);
  return own && processorStatusRefusal(own);
}

/** The processor that the caller belongs to; null if it belongs to none. */
export async function ownProcessor(
  caller: Caller,
  findProcessor: PaymentContext['findProcessor'],
): Promise<PaidProcessor | null> {
  const id = onlyProcessorOf(caller);
  return id === null ? null : findProcessor(id);
}
