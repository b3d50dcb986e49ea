// Encrypts PINs without waiting, for Node: the key derived from a secret, and the compact JWE.
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { PIN_HEADER, PIN_PURPOSE } from './unsigned.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** An AES-256 key: HKDF-SHA256(secret, no salt, purpose). */
export function encryptionKeyBytes(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

/** Encrypts PINs for cards to values of `encrypted_pin`, with the key derived once. */
export function pinEncrypter(secret: string): (content: { pin: string; cardSerial: string }, iv?: Buffer) => string {
  const key = encryptionKeyBytes(secret, PIN_PURPOSE);
  return ({ pin, cardSerial }, iv) => sealJwe(key, { pin, card_serial: cardSerial }, iv === undefined ? {} : { iv });
}

/** A compact JWE with direct encryption. Tests pass contents and headers that the service refuses. */
export function sealJwe(
  key: Buffer,
  content: unknown,
  { header = PIN_HEADER, iv = randomBytes(IV_BYTES) }: { header?: string; iv?: Buffer } = {},
): string {
  const protectedHeader = Buffer.from(header).toString('base64url');
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(protectedHeader));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  // The second part is the encrypted key, which direct encryption does not have.
  return [protectedHeader, '', ...parts].join('.');
}
