// A PIN as terminals and apps send it: a compact JWE that opens with the secret of their key, made for one card.
import type { webcrypto } from 'node:crypto';
import { compactDecrypt, errors } from 'jose';
import { Refusal, refuse } from '../kernel/refusal.ts';

/** What the key that opens it is derived for. */
export const PIN_PURPOSE = 'pin-encryption-v1';

export interface PinForCard {
  pin: string;
  card_serial: string;
}

const OPTIONS = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
  // So little needs no compression, and what is not unpacked cannot burst.
  maxDecompressedLength: 0,
};

/** Whatever is wrong with it is a fault of the body, and never an attempt at somebody's PIN. */
export async function openPin(token: string, key: webcrypto.CryptoKey): Promise<PinForCard | Refusal> {
  const plain = await decrypted(token, key);
  if (plain instanceof Refusal) return plain;
  return pinForCard(plain) ?? fault('must hold {"pin", "card_serial"}, both texts');
}

async function decrypted(token: string, key: webcrypto.CryptoKey): Promise<string | Refusal> {
  try {
    return Buffer.from((await compactDecrypt(token, key, OPTIONS)).plaintext).toString('utf8');
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed)
      return fault('does not open with the secret that signed the request');
    if (error instanceof errors.JOSEError) return fault('must be a compact JWE with alg "dir" and enc "A256GCM"');
    throw error;
  }
}

function pinForCard(json: string): PinForCard | null {
  try {
    const { pin, card_serial } = JSON.parse(json) as Record<string, unknown>;
    return typeof pin === 'string' && typeof card_serial === 'string' ? { pin, card_serial } : null;
  } catch {
    return null;
  }
}

function fault(says: string): Refusal {
  return refuse('INVALID_REQUEST', `encrypted_pin ${says}.`);
}
