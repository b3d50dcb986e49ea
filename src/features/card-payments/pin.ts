// The PIN of a card payment: encrypted for its card, or in plain text with a test key.
import { PIN_PURPOSE } from '@kissi/signatures/node';
import type { KeyCaller } from '../../auth/caller.ts';
import { openPin } from '../../auth/pins/encrypted-pin.ts';
import type { GuardedAttempt, GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { PinParty } from '../../auth/pins/guess-watch.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
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
  /** Reads the stored PIN, concurrently with other look-ups. */
  ready(): Promise<void>;
  /** Requires `ready`. Does not count as an attempt unless `refusal` is called afterwards. */
  isRight(card: LinkedCard): boolean;
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
  let attempt: GuardedAttempt | null = null;
  const pinFor = (card: LinkedCard) => fields.pin ?? decrypted(fields.encrypted_pin ?? '', card, key);
  // The attempt begun in `ready`, unless the card has another holder since.
  const attemptAt = (card: LinkedCard) => (attempt?.ownerId() === card.subscriber_id ? attempt : null);
  return {
    async ready() {
      const serial = readSerial(fields.card_serial);
      if (serial === null) return;
      attempt = pins.attemptByCard(key, serial, at);
      await attempt.ready();
    },
    isRight(card) {
      const pin = pinFor(card);
      return !(pin instanceof Refusal) && attemptAt(card)?.isRight(pin) === true;
    },
    async refusal(card) {
      const pin = pinFor(card);
      // No PIN was tried, and the reply tells that the card exists.
      if (pin instanceof Refusal) return asLookup(pin);
      const verdict = await (attemptAt(card)?.verify(pin) ?? pins.verify(key, card.subscriber_id, pin, at));
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
