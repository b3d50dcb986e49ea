// The decrypted secret of an API key. It is used for signatures; encryption keys are derived from it per purpose.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export interface SigningSecret {
  text: string;
  /** An AES-256 key: HKDF-SHA256(secret, no salt, purpose). Cached, because derivation takes as long as decryption. */
  encryptionKey(purpose: string): KeyObject;
}

const KEY_BYTES = 32;

export function signingSecret(text: string): SigningSecret {
  const derived = new Map<string, KeyObject>();
  return {
    text,
    encryptionKey(purpose) {
      const known = derived.get(purpose) ?? createSecretKey(encryptionKeyBytes(text, purpose));
      derived.set(purpose, known);
      return known;
    },
  };
}

export function encryptionKeyBytes(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
