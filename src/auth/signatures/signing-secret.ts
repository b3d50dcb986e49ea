// The secret of a key, opened: it signs, and keys for other purposes are derived from it, so that it serves one only.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

export interface SigningSecret {
  text: string;
  /** AES-256 under HKDF-SHA256(secret, no salt, the purpose): made once, because deriving costs as much as deciphering. */
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
