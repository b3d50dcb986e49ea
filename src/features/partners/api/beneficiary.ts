// Finds the subscriber that a partner identifies by phone number, card serial or account number.
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type CardHolder, type CardLookups, cardHolder, comparableSerial } from '../../../parties/card.ts';
import type { Holder, Holders } from '../../../parties/subscriber.ts';
import type { IdentifierFields } from './schemas.ts';

export interface BeneficiaryContext {
  holders: Holders;
  cards: CardLookups;
  phone: PhoneReader;
}

/** A subscriber's identifier, normalized so that two requests can be compared. */
export interface Identifier {
  by: 'phone_number' | 'card_serial' | 'account_number';
  value: string;
}

const IDENTIFIERS = ['phone_number', 'card_serial', 'account_number'] as const;

export function createBeneficiaryLookup({ holders, cards, phone }: BeneficiaryContext) {
  return {
    read(fields: IdentifierFields): Identifier | Refusal {
      const [by, ...more] = IDENTIFIERS.filter((field) => fields[field] !== undefined);
      if (by === undefined || more.length > 0) {
        return refuse('INVALID_REQUEST', `Send exactly one of ${IDENTIFIERS.join(', ')}.`);
      }
      const text = fields[by] ?? '';
      if (by !== 'phone_number') return { by, value: by === 'card_serial' ? comparableSerial(text) : text };
      const value = phone(text);
      return value === null ? refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.') : { by, value };
    },

    /** Also null for a card that is not linked to a subscriber. */
    async find({ by, value }: Identifier): Promise<CardHolder | null> {
      if (by === 'card_serial') {
        const found = cardHolder(await cards.withHolder(value));
        return found instanceof Refusal ? null : found;
      }
      const holder = await (by === 'phone_number' ? holders.byPhone(value) : holders.byAccountNumber(value));
      return holder && asHolder(holder);
    },
  };
}

function asHolder(holder: Holder): CardHolder {
  return { holder, card: null };
}
