// Whom a partner means, and whether that wallet may be credited.
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
import { type Identifier, TYPE } from './input.ts';

export type Beneficiary = CardHolder;

export interface BeneficiaryParts {
  holders: Holders;
  cards: CardLookups;
}

export function beneficiaries({ holders, cards }: BeneficiaryParts) {
  return async function find({ by, value }: Identifier): Promise<Beneficiary | Refusal> {
    if (by === 'card_serial') return ofCard(await cards.withHolder(value));
    const holder = await (by === 'msisdn' ? holders.byPhone(value) : holders.byAccountNumber(value));
    return holder ? { holder, card: null } : noBeneficiary();
  };
}

function ofCard(card: HeldCard | null): Beneficiary | Refusal {
  if (card && card.subscriber_id === null) return cardNotAssigned();
  return card ? cardHolder(card) : noBeneficiary();
}

export function noBeneficiary(): Refusal {
  return refuse('BENEFICIARY_NOT_FOUND', 'There is no such beneficiary.');
}

/** One code for whatever keeps a wallet from being credited; the sentence says what it is. */
export function blockedRefusal({ holder, card }: Beneficiary): Refusal | null {
  const refusal = cardStatusRefusal(card) ?? holderStatusRefusal(holder, TYPE, 'beneficiary');
  return refusal && refuse('BENEFICIARY_BLOCKED', refusal.message);
}
