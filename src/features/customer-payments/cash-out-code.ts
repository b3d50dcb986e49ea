// The eight digits of a cash-out code: derived from the hold that they pay out, so that no table contains them.
import { createHmac, hash, hkdfSync } from 'node:crypto';

const DIGITS = 8;
const NUMBER_BYTES = 6;
const FORM = /^\d{8}$/;

export interface CodeKeys {
  /** Stored with each code: a later key derives none of them. */
  id: string;
  /** The code of a hold. Another counter gives another code. */
  derive(holdId: string, counter: number): string;
  /** How a customer's code is found. */
  hash(subscriberId: string, code: string): Buffer;
  /** Identifies what an agent entered, across retries. */
  fingerprint(phone: string, code: string): string;
}

export function createCodeKeys(masterKey: string): CodeKeys {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `kissi-cash-out-${purpose}-v1`, 32));
  const [deriving, hashing] = [keyFor('codes'), keyFor('hashes')];
  const mac = (key: Buffer, ...parts: readonly (string | number)[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return {
    id: hash('sha256', keyFor('key-id'), 'hex').slice(0, 16),
    derive(holdId, counter) {
      const number = mac(deriving, holdId, counter).readUIntBE(0, NUMBER_BYTES);
      return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
    },
    hash: (subscriberId, code) => mac(hashing, 'customer', subscriberId, code),
    fingerprint: (phone, code) => mac(hashing, 'entered', phone, code).toString('base64url'),
  };
}

export function isCashOutCode(text: string): boolean {
  return FORM.test(text);
}
