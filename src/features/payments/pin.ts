// The PIN that comes with a payment: encrypted for its card, or, with a key for testing, as it is.
import type { KeyCaller } from '../../auth/caller.ts';
import { openPin, PIN_PURPOSE } from '../../auth/encrypted-pin.ts';
import type { GuardedPins } from '../../auth/guarded-pins.ts';
import { pinFormRefusal, pinRefusal } from '../../auth/pin-refusals.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { readSerial } from '../cards/service.ts';
import type { HoldersCard } from './parts.ts';

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

/** Opened last, so that a retry is answered also when the secret it was encrypted under has been rotated away. */
export async function cardPinRefusal(
  pins: GuardedPins,
  card: HoldersCard,
  given: GivenPin,
  key: KeyCaller,
): Promise<Refusal | null> {
  const pin = given.pin ?? (await decrypted(given.encrypted_pin ?? '', card, key));
  if (pin instanceof Refusal) return pin;
  const verdict = await pins.verify(key, card.subscriber_id, pin);
  return verdict.outcome === 'right' ? null : pinRefusal(verdict);
}

async function decrypted(token: string, card: HoldersCard, { encryptionKey }: KeyCaller): Promise<string | Refusal> {
  if (!encryptionKey) throw new Error('the request was not signed');
  const opened = await openPin(token, await encryptionKey(PIN_PURPOSE));
  if (opened instanceof Refusal) return opened;
  // One that was overheard at another card's payment is of no use here.
  if (readSerial(opened.card_serial) !== card.serial) {
    return refuse('INVALID_REQUEST', 'encrypted_pin was made for another card.');
  }
  return pinFormRefusal(opened.pin, { field: 'The pin in encrypted_pin' }) ?? opened.pin;
}
