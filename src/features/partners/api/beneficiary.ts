// Finds the subscriber that a partner identifies by phone number, card serial or account number.
import type { PhoneReader } from '../../../kernel/phone.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { type CardHolder, type CardLookups, cardHolder, sameSerial } from '../../../parties/card.ts';
import type { Holder, Holders } from '../../../parties/subscriber.ts';
import type { Named } from './schemas.ts';

export interface NamingParts {
  holders: Holders;
  cards: CardLookups;
  phone: PhoneReader;
}

/** An identifier of a subscriber, normalized so that two requests can be compared. */
export interface Name {
  by: 'phone_number' | 'card_serial' | 'account_number';
  value: string;
}

const WAYS = ['phone_number', 'card_serial', 'account_number'] as const;

export function naming({ holders, cards, phone }: NamingParts) {
  return {
    read(named: Named): Name | Refusal {
      const [by, ...more] = WAYS.filter((way) => named[way] !== undefined);
      if (by === undefined || more.length > 0) {
        return refuse('INVALID_REQUEST', `Send exactly one of ${WAYS.join(', ')}.`);
      }
      const given = named[by] ?? '';
      if (by !== 'phone_number') return { by, value: by === 'card_serial' ? sameSerial(given) : given };
      const value = phone(given);
      return value === null ? refuse('INVALID_REQUEST', 'phone_number is not a valid phone number.') : { by, value };
    },

    /** Null also for a card that is not linked to a subscriber. */
    async find({ by, value }: Name): Promise<CardHolder | null> {
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
