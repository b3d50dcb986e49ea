// Keyed hashes of PINs and codes. A hash names the peppers it needs: none for the first one, `k2`, or `k2+k1` if it is wrapped.
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { Derived, FIRST_KEY, type Keys } from '../../kernel/key-ring.ts';

export interface StoredPin {
  salt: Buffer;
  /** The 32 bytes of the HMAC, then the ids of its peppers. */
  hash: Buffer;
}

export interface PinHasher {
  make(ownerId: string, pin: string): StoredPin;
  matches(ownerId: string, pin: string, stored: StoredPin): boolean;
  /** The hash of the same PIN under the pepper that new ones get, with the same salt. */
  remake(ownerId: string, pin: string, stored: StoredPin): Buffer;
  /** Whether the hash needs the pepper that new ones get, and no other. */
  isCurrent(stored: Pick<StoredPin, 'hash'>): boolean;
  /** The hash, wrapped under the pepper that new ones get; null if it needs that one already. */
  wrap(hash: Buffer): Buffer | null;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Of an erased owner: no PIN matches, and no pepper is needed. */
export const NO_PIN: StoredPin = { salt: Buffer.alloc(0), hash: Buffer.alloc(0) };

/** The hash includes the owner id: copied to another owner's row, it does not match. */
export function pinHasher(peppers: Keys): PinHasher {
  const keys = new Derived(peppers, (value) => createSecretKey(value, 'utf8'));
  const { ring } = keys;

  function hash(ids: readonly string[], message: Buffer): Buffer {
    // The innermost pepper is named last.
    return ids.reduceRight((inner, id) => createHmac('sha256', keys.of(id)).update(inner).digest(), message);
  }

  function newHash(ownerId: string, salt: Buffer, pin: string): Buffer {
    const ids = [ring.writing.id];
    return Buffer.concat([hash(ids, messageOf(ownerId, salt, pin)), suffix(ids)]);
  }

  return {
    make(ownerId, pin) {
      const salt = randomBytes(SALT_BYTES);
      return { salt, hash: newHash(ownerId, salt, pin) };
    },
    remake: (ownerId, pin, { salt }) => newHash(ownerId, salt, pin),
    matches(ownerId, pin, { salt, hash: stored }) {
      if (stored.length === 0) return false;
      const actual = hash(pepperIds(stored), messageOf(ownerId, salt, pin));
      const expected = stored.subarray(0, HASH_BYTES);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
    isCurrent: ({ hash: stored }) => suffix([ring.writing.id]).equals(stored.subarray(HASH_BYTES)),
    wrap(stored) {
      const [ids, { id }] = [pepperIds(stored), ring.writing];
      if (ids.includes(id)) return null;
      return Buffer.concat([hash([id], stored.subarray(0, HASH_BYTES)), suffix([id, ...ids])]);
    },
  };
}

function messageOf(ownerId: string, salt: Buffer, pin: string): Buffer {
  return Buffer.concat([Buffer.from(`${ownerId}\0`), salt, Buffer.from(pin)]);
}

function pepperIds(hash: Buffer): string[] {
  return hash.length === HASH_BYTES ? [FIRST_KEY] : hash.toString('latin1', HASH_BYTES).split('+');
}

function suffix(ids: readonly string[]): Buffer {
  const text = ids.join('+');
  return Buffer.from(text === FIRST_KEY ? '' : text, 'latin1');
}

/** SQL that reads the ids of the peppers that a hash needs: `k2+k1`. Null: it needs none. */
export function pepperIdsSql(column: string): string {
  return `case length(${column}) when 0 then null when ${HASH_BYTES} then '${FIRST_KEY}'
    else convert_from(substr(${column}, ${HASH_BYTES + 1}), 'LATIN1') end`;
}
