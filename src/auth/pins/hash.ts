// PINs at rest: four digits cannot be protected by a slow hash, so they are protected by a key that is not in the database.
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';

export interface StoredPin {
  salt: Buffer;
  hash: Buffer;
}

export interface PinHasher {
  make(ownerId: string, pin: string): StoredPin;
  matches(ownerId: string, pin: string, stored: StoredPin): boolean;
}

const SALT_BYTES = 16;

/** Bound to the owner: a hash copied to another owner's row matches nothing. */
export function pinHasher(pepper: string): PinHasher {
  const key = createSecretKey(pepper, 'utf8');
  const hash = (ownerId: string, salt: Buffer, pin: string) =>
    createHmac('sha256', key).update(`${ownerId}\0`).update(salt).update(pin).digest();
  return {
    make(ownerId, pin) {
      const salt = randomBytes(SALT_BYTES);
      return { salt, hash: hash(ownerId, salt, pin) };
    },
    matches(ownerId, pin, stored) {
      const given = hash(ownerId, stored.salt, pin);
      return given.length === stored.hash.length && timingSafeEqual(given, stored.hash);
    },
  };
}
