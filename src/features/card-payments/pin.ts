// The PIN that comes with a payment: encrypted for its card, or, with a key for testing, as it is.
import type { KeyCaller } from '../../auth/caller.ts';
import { openPin, PIN_PURPOSE } from '../../auth/pins/encrypted-pin.ts';
import type { GuardedAttempt, GuardedPins } from '../../auth/pins/guarded-pins.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pins/refusals.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { type LinkedCard, readSerial } from '../../parties/card.ts';

export interface GivenPin {
  encrypted_pin?: string;
  pin?: string;
}

/** What can be said of it before anything is looked up. */
export function pinShapeRefusal({ encrypted_pin, pin }: GivenPin, { environment }: KeyCaller): Refusal | null {
  if (pin === undefined)
    return encrypted_pin === undefined ? refuse('INVALID_REQUEST', 'encrypted_pin is required.') : null;
  if (environment !== 'test') return refuse('INVALID_REQUEST', 'pin must not be sent: send encrypted_pin.');
  if (encrypted_pin !== undefined) return refuse('INVALID_REQUEST', 'Exactly one of encrypted_pin and pin is sent.');
  return pinFormRefusal(pin);
}

/** The PIN of one payment, whose card is yet to be found. */
export interface CardPin {
  /** What it is compared with is read now, among other look-ups. */
  ready(): Promise<void>;
  /** Once it is ready, and without a trace, unless it is asked for its refusal afterwards. */
  isRight(card: LinkedCard): boolean;
  refusal(card: LinkedCard): Promise<Refusal | null>;
  end(): void;
}

/** Opened when there is a card, so that a retry is answered also when the secret it was encrypted under was rotated away. */
export function cardPin(pins: GuardedPins, given: GivenPin & { card_serial: string }, key: KeyCaller): CardPin {
  let begun: GuardedAttempt | null = null;
  const pinFor = (card: LinkedCard) => given.pin ?? decrypted(given.encrypted_pin ?? '', card, key);
  // The very attempt that was begun, unless the card has got another holder since.
  const attemptAt = (card: LinkedCard) => (begun?.ownerId() === card.subscriber_id ? begun : null);
  return {
    async ready() {
      const serial = readSerial(given.card_serial);
      if (serial === null) return;
      begun = pins.attemptByCard(key, serial);
      await begun.ready();
    },
    isRight(card) {
      const pin = pinFor(card);
      return !(pin instanceof Refusal) && attemptAt(card)?.isRight(pin) === true;
    },
    async refusal(card) {
      const pin = pinFor(card);
      if (pin instanceof Refusal) return pin;
      const verdict = await (attemptAt(card)?.verify(pin) ?? pins.verify(key, card.subscriber_id, pin));
      return verdict.outcome === 'right' ? null : pinRefusal(verdict);
    },
    end: () => begun?.end(),
  };
}

function decrypted(token: string, card: LinkedCard, { encryptionKey }: KeyCaller): string | Refusal {
  if (!encryptionKey) throw new Error('the request was not signed');
  const opened = openPin(token, encryptionKey(PIN_PURPOSE));
  if (opened instanceof Refusal) return opened;
  // One that was overheard at another card's payment is of no use here.
  if (readSerial(opened.card_serial) !== card.serial) {
    return refuse('INVALID_REQUEST', 'encrypted_pin was made for another card.');
  }
  return pinFormRefusal(opened.pin, { field: 'The pin in encrypted_pin' }) ?? opened.pin;
}
