// The eight digits of a cash-out code: derived from the hold that they pay out, so that no table contains them.
import { createHmac, hash, hkdfSync } from 'node:crypto';
import { Derived, FIRST_KEY, type Keys } from '../../kernel/key-ring.ts';

const DIGITS = 8;
const NUMBER_BYTES = 6;
const FORM = /^\d{8}$/;

export interface CodeKeys {
  /** Stored with each code: a later key derives none of them. */
  readonly id: string;
  /** The code of a hold. Another counter gives another code. */
  derive(holdId: string, counter: number): string;
  /** A code that was stored with the id of its key; null if that key is gone. */
  deriveAgain(keyId: string, holdId: string, counter: number): string | null;
  /** How a customer's code is found. */
  hash(subscriberId: string, code: string): Buffer;
  /** The hash under each key that live codes may have. */
  hashes(subscriberId: string, code: string): Buffer[];
  /** Identifies what an agent entered, across retries and changes of the key. */
  fingerprint(phone: string, code: string): string;
  /** The master key of a stored id. */
  masterKeyId(keyId: string): string | null;
}

interface KeysOfOne {
  id: string;
  masterKey: string;
  deriving: Buffer;
  hashing: Buffer;
}

export function createCodeKeys(masterKeys: Keys): CodeKeys {
  const derived = new Derived(masterKeys, keysOfOne);
  const find = (keyId: string) => derived.usable.find(({ id }) => id === keyId) ?? null;
  return {
    get id() {
      return derived.writing.id;
    },
    derive: (holdId, counter) => codeOf(derived.writing, holdId, counter),
    deriveAgain(keyId, holdId, counter) {
      const keys = find(keyId);
      return keys && codeOf(keys, holdId, counter);
    },
    hash: (subscriberId, code) => hashOf(derived.writing, subscriberId, code),
    hashes: (subscriberId, code) => derived.usable.map((keys) => hashOf(keys, subscriberId, code)),
    fingerprint: (phone, code) =>
      mac((derived.known(FIRST_KEY) ?? derived.writing).hashing, 'entered', phone, code).toString('base64url'),
    masterKeyId: (keyId) => find(keyId)?.masterKey ?? null,
  };
}

function keysOfOne(value: string, masterKey: string): KeysOfOne {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', value, '', `kissi-cash-out-${purpose}-v1`, 32));
  const id = hash('sha256', keyFor('key-id'), 'hex').slice(0, 16);
  return { id, masterKey, deriving: keyFor('codes'), hashing: keyFor('hashes') };
}

function codeOf({ deriving }: KeysOfOne, holdId: string, counter: number): string {
  const number = mac(deriving, holdId, counter).readUIntBE(0, NUMBER_BYTES);
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

function hashOf({ hashing }: KeysOfOne, subscriberId: string, code: string): Buffer {
  return mac(hashing, 'customer', subscriberId, code);
}

function mac(key: Buffer, ...parts: readonly (string | number)[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

export function isCashOutCode(text: string): boolean {
  return FORM.test(text);
}
