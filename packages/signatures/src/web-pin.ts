// Encrypts a PIN for one card: a compact JWE (alg dir, enc A256GCM) under a key derived from the secret that signs.
import { PIN_HEADER, PIN_PURPOSE } from './unsigned.ts';
import { base64url, utf8 } from './web-crypto.ts';

const HEADER = base64url(utf8(PIN_HEADER));
const TAG_BYTES = 16;

/** The value of `encrypted_pin`. The payment methods of the client encrypt a `pin` by themselves. */
export async function encryptPin(
  secret: string,
  { pin, cardSerial }: { pin: string; cardSerial: string },
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const content = utf8(JSON.stringify({ pin, card_serial: cardSerial }));
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(HEADER), tagLength: TAG_BYTES * 8 };
  const sealed = await crypto.subtle.encrypt(algorithm, await encryptionKey(secret), content);
  const tagAt = sealed.byteLength - TAG_BYTES;
  const parts = [iv, sealed.slice(0, tagAt), sealed.slice(tagAt)].map((part) => base64url(part));
  // The second part is the encrypted key, which direct encryption does not have.
  return [HEADER, '', ...parts].join('.');
}

async function encryptionKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(PIN_PURPOSE) };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
}
