// What the verbs of this family are given to work with, and the refusals they share.
import type { Actor } from '../../audit/log.ts';
import type { KeyCaller } from '../../auth/caller.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { MovementLookup } from '../../ledger/queries/movement-lookup.ts';
import type { Payments } from '../../payments/execute.ts';
import type { PepGuard } from '../admin/pep/service.ts';
import type { CardService, HeldCard, PlainCard } from '../cards/service.ts';
import type { ProcessorOnFile } from '../processors/service.ts';
import type { SubscriberService } from '../subscribers/service.ts';
import type { Holder, Holders } from '../wallet/service.ts';

export interface PaymentContext {
  cards: Pick<CardService, 'heldCard' | 'plainCard' | 'get'>;
  findProcessor: Load<string, ProcessorOnFile | null>;
  holders: Holders;
  subscribers: Pick<SubscriberService, 'get'>;
  pins: GuardedPins;
  books: Books;
  lookUp: MovementLookup;
  payments: Payments;
  phone: PhoneReader;
  pep: PepGuard;
  clock: Clock;
}

export const PAYMENT = 'pos_payment';
export const REFUND = 'pos_refund';

/** Only keys sign, and only signed requests come here. */
export function keyOf({ caller }: Pick<Actor, 'caller'>): KeyCaller {
  if (caller.kind !== 'key') throw new Error(`a payment was asked for by a ${caller.kind}`);
  return caller;
}

/** A key that belongs to a processor acts for that one alone. */
export function otherProcessorRefusal({ processorId }: KeyCaller, named: string): Refusal | null {
  if (processorId === null || processorId === named) return null;
  return refuse('FORBIDDEN', 'This API key belongs to another processor.');
}

/** A key of a suspended processor does nothing here, and is told nothing: neither of cards nor of who holds them. */
export async function suspensionRefusal(
  { processorId }: KeyCaller,
  findProcessor: PaymentContext['findProcessor'],
): Promise<Refusal | null> {
  const own = processorId === null ? null : await findProcessor(processorId);
  return own?.status === 'suspended' ? suspended() : null;
}

export function noSuchCard(): Refusal {
  return refuse('CARD_NOT_FOUND', 'There is no such card.');
}

export function noSuchProcessor(): Refusal {
  return refuse('NOT_FOUND', 'There is no such processor.');
}

export function suspended(): Refusal {
  return refuse('PROCESSOR_SUSPENDED', 'The processor is suspended.');
}

/** A card that somebody holds. */
export type HoldersCard<Card extends PlainCard = PlainCard> = Card & { subscriber_id: string };

export function isHeld<Card extends PlainCard>(card: Card): card is HoldersCard<Card> {
  return card.subscriber_id !== null;
}

export function holderOf(card: HoldersCard<HeldCard>): Holder {
  return { ...card, id: card.subscriber_id, status: card.holder_status };
}
