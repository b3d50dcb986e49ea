// Recovery codes: ten single-use codes that replace a lost second factor. Only keyed hashes are stored.
import { randomInt } from 'node:crypto';
import type { PinHasher, StoredPin } from '../../../auth/pins/hasher.ts';

const RECOVERY_CODES = 10;
const GROUP_CHARS = 5;
// Without characters that look alike. Ten characters have 49 bits.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** For example "k7mqa-2xw9p". */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: GROUP_CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return Array.from({ length: RECOVERY_CODES }, () => `${group()}-${group()}`);
}

export function hashRecoveryCode(hasher: PinHasher, userId: string, code: string): StoredPin {
  return hasher.make(ownerOf(userId), normalized(code));
}

export function isRecoveryCode(hasher: PinHasher, userId: string, code: string, stored: StoredPin): boolean {
  return hasher.matches(ownerOf(userId), normalized(code), stored);
}

/** Accepts the code in any case, with or without the hyphen. */
function normalized(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A separate hash domain, because PINs are hashed with the same key. */
function ownerOf(userId: string): string {
  return `recovery_code:${userId}`;
}
