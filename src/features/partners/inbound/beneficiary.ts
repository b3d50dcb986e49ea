// Finds the beneficiary of an inbound credit, and checks whether its wallet may be credited.
import type { Read, Rows } from '../../../db/keyed-lookup.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import {
  type CardHolder,
  type CardLookups,
  cardHolder,
  cardNotAssigned,
  cardStatusRefusal,
  HELD_CARDS,
  type HeldCard,
} from '../../../parties/card.ts';
import {
  HOLDERS_BY_ACCOUNT_NUMBER,
  HOLDERS_BY_PHONE,
  type Holder,
  type Holders,
  holderStatusRefusal,
} from '../../../parties/subscriber.ts';
import { type Identifier, INBOUND_CREDIT } from './input.ts';

export type Beneficiary = CardHolder;

export interface BeneficiaryContext {
  holders: Holders;
  cards: CardLookups;
}

export function createBeneficiaryLookup({ holders, cards }: BeneficiaryContext) {
  return async function find({ by, value }: Identifier): Promise<Beneficiary | Refusal> {
    if (by === 'card_serial') return beneficiaryOfCard(await cards.withHolder(value));
    return beneficiaryOf(await (by === 'msisdn' ? holders.byPhone(value) : holders.byAccountNumber(value)));
  };
}

/** The same for the fast path: the row to read, and the beneficiary in it. */
export function beneficiaryIn({ by, value: key }: Identifier): {
  read: Read<unknown>;
  find(rows: Rows): Beneficiary | Refusal;
} {
  if (by === 'card_serial') {
    const read = { lookup: HELD_CARDS, key };
    return { read, find: (rows) => beneficiaryOfCard(rows.get(read)) };
  }
  const read = { lookup: by === 'msisdn' ? HOLDERS_BY_PHONE : HOLDERS_BY_ACCOUNT_NUMBER, key };
  return { read, find: (rows) => beneficiaryOf(rows.get(read)) };
}

function beneficiaryOf(holder: Holder | null): Beneficiary | Refusal {
  return holder ? { holder, card: null } : noSuchBeneficiary();
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
