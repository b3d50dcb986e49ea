// The PIN of a card payment: encrypted for its card, or in plain text with a test key.
import { PIN_PURPOSE } from '@kissi/signatures/node';
import type { KeyCaller } from '../../auth/caller.ts';
import { openPin } from '../../auth/pins/encrypted-pin.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { PinParty } from '../../auth/pins/guess-watch.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
import type { PinRow } from '../../auth/pins/store.ts';
import type { Read, Rows } from '../../db/keyed-lookup.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type LinkedCard, readSerial } from '../../parties/card.ts';

export interface PinFields {
  encrypted_pin?: string;
  pin?: string;
}

/** Checks that need no look-up. */
export function pinShapeRefusal({ encrypted_pin, pin }: PinFields, { environment }: KeyCaller): Refusal | null {
  if (pin === undefined)
    return encrypted_pin === undefined ? refuse('INVALID_REQUEST', 'encrypted_pin is required.') : null;
  if (environment !== 'test') return refuse('INVALID_REQUEST', 'Send encrypted_pin instead of pin.');
  if (encrypted_pin !== undefined) return refuse('INVALID_REQUEST', 'Send exactly one of encrypted_pin and pin.');
  return pinFormRefusal(pin);
}

/** Checks the PIN of one payment. */
export interface CardPin {
  /** The stored PIN; null if the serial is no card's. */
  read: Read<PinRow> | null;
  /** Does not count as an attempt unless `refusal` is called afterwards. */
  isRight(card: LinkedCard, rows: Rows): boolean;
  /** After `isRight`, if the payment was answered because of it. */
  countRight(): void;
  refusal(card: LinkedCard): Promise<Refusal | null>;
  end(): void;
}

/** Decrypts only when needed, so that a retry is replayed even after its encryption secret was rotated. */
export function cardPin(
  pins: GuardedPins,
  fields: PinFields & { card_serial: string; processor_id: string },
  key: KeyCaller,
  asLookup: (refusal: Refusal) => Promise<Refusal>,
): CardPin {
  const at: PinParty = { kind: 'processor', id: fields.processor_id };
  const serial = readSerial(fields.card_serial);
  const attempt = serial === null ? null : pins.attemptByCard(key, serial, at);
  const pinFor = (card: LinkedCard) => fields.pin ?? decrypted(fields.encrypted_pin ?? '', card, key);
  return {
    read: attempt?.read ?? null,
    isRight(card, rows) {
      const row = attempt && rows.get(attempt.read);
      // The card has another holder since it was read.
      if (row?.ownerId !== card.subscriber_id) return false;
      const pin = pinFor(card);
      return !(pin instanceof Refusal) && attempt?.isRight(pin, row) === true;
    },
    async refusal(card) {
      const pin = pinFor(card);
      // No PIN was tried, and the reply tells that the card exists.
      if (pin instanceof Refusal) return asLookup(pin);
      const { subscriber_id: holder } = card;
      const verdict = await (attempt?.verify(holder, pin) ?? pins.verify(key, holder, pin, at));
      return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
    },
    countRight: () => attempt?.countRight(),
    end: () => attempt?.end(),
  };
}

function decrypted(token: string, card: LinkedCard, { encryptionKey }: KeyCaller): string | Refusal {
  if (!encryptionKey) throw new Error('the request was not signed');
  const opened = openPin(token, encryptionKey(PIN_PURPOSE));
  if (opened instanceof Refusal) return opened;
  // Prevents the reuse of an encrypted PIN that was captured with another card.
  if (readSerial(opened.card_serial) !== card.serial) {
    return refuse('INVALID_REQUEST', 'encrypted_pin was made for another card.');
  }
  return pinFormRefusal(opened.pin, { field: 'The pin in encrypted_pin' }) ?? opened.pin;
}
