// Finds the beneficiary of an inbound credit, and checks whether its wallet may be credited.
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import {
  type CardHolder,
  type CardLookups,
  cardHolder,
  cardNotAssigned,
  cardStatusRefusal,
  type HeldCard,
} from '../../../parties/card.ts';
import { type Holders, holderStatusRefusal } from '../../../parties/subscriber.ts';
import { type Identifier, INBOUND_CREDIT } from './input.ts';

export type Beneficiary = CardHolder;

export interface BeneficiaryContext {
  holders: Holders;
  cards: CardLookups;
}

export function createBeneficiaryLookup({ holders, cards }: BeneficiaryContext) {
  return async function find({ by, value }: Identifier): Promise<Beneficiary | Refusal> {
    if (by === 'card_serial') return beneficiaryOfCard(await cards.withHolder(value));
    const holder = await (by === 'msisdn' ? holders.byPhone(value) : holders.byAccountNumber(value));
    return holder ? { holder, card: null } : noSuchBeneficiary();
  };
}

function beneficiaryOfCard(card: HeldCard | null): Beneficiary | Refusal {
  if (card && card.subscriber_id === null) return cardNotAssigned();
  return card ? cardHolder(card) : noSuchBeneficiary();
}

export function noSuchBeneficiary(): Refusal {
  return refuse('BENEFICIARY_NOT_FOUND', 'There is no such beneficiary.');
}

/** All reasons share one code; the message states the reason. */
export function blockedRefusal({ holder, card }: Beneficiary): Refusal | null {
  const refusal = cardStatusRefusal(card) ?? holderStatusRefusal(holder, INBOUND_CREDIT, 'beneficiary');
  return refusal && refuse('BENEFICIARY_BLOCKED', refusal.message);
}
