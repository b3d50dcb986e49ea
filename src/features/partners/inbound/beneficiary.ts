// Whom a partner means, and whether that wallet may be credited.
import type { Load } from '../../../db/batch-loader.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { HeldCard } from '../../cards/service.ts';
import { type CardHolder, cardHolder, cardRefusal, type Holders, holderRefusal } from '../../wallet/service.ts';
import { type Identifier, TYPE } from './input.ts';

export type Beneficiary = CardHolder;

export interface BeneficiaryParts {
  holders: Holders;
  findCard: Load<string, HeldCard | null>;
}

export function beneficiaries({ holders, findCard }: BeneficiaryParts) {
  return async function find({ by, value }: Identifier): Promise<Beneficiary | Refusal> {
    if (by === 'card_serial') return ofCard(await findCard(value));
    const holder = await (by === 'msisdn' ? holders.byPhone(value) : holders.byAccountNumber(value));
    return holder ? { holder, card: null } : noBeneficiary();
  };
}

function ofCard(card: HeldCard | null): Beneficiary | Refusal {
  if (card && card.subscriber_id === null) return refuse('CARD_NOT_ASSIGNED', 'The card is linked to no subscriber.');
  return card ? cardHolder(card) : noBeneficiary();
}

export function noBeneficiary(): Refusal {
  return refuse('BENEFICIARY_NOT_FOUND', 'There is no such beneficiary.');
}

/** One code for whatever keeps a wallet from being credited; the sentence says what it is. */
export function blockedRefusal({ holder, card }: Beneficiary): Refusal | null {
  const refusal = cardRefusal(card) ?? holderRefusal(holder, TYPE, 'beneficiary');
  return refusal && refuse('BENEFICIARY_BLOCKED', refusal.message);
}
