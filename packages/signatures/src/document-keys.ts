// Ed25519 keys that sign documents: read from a PEM or a seed, named by their public key, and published as a JWK.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface SigningKey extends PublicKey {
  privateKey: KeyObject;
}

export interface PublicKey {
  publicKey: KeyObject;
  /** First digits of the SHA-256 of the public key. */
  id: string;
}

/** RFC 8037. */
export interface Jwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  use: 'sig';
  alg: 'EdDSA';
  /** What the key signs; absent for daily closes and reports. */
  purpose?: 'receipt';
}

/** The DER prefix of an Ed25519 private key in PKCS #8, before its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const KEY_ID_CHARS = 16;

/** `text` is a PEM, or the 32 bytes of a seed in base64 or hexadecimal digits. `name`: the variable's, for errors. */
export function signingKey(text: string, name: string): SigningKey {
  const privateKey = text.includes('PRIVATE KEY') ? createPrivateKey(text) : keyOfText(text, name);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error(`${name} must be an Ed25519 key.`);
  return ofPrivateKey(privateKey);
}

function keyOfText(text: string, name: string): KeyObject {
  const seed = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (seed.length !== SEED_BYTES) throw new Error(`${name} must be a PEM, or 32 bytes in base64 or hexadecimal.`);
  return privateKeyOf(seed);
}

export function signingKeyOfSeed(seed: Buffer): SigningKey {
  return ofPrivateKey(privateKeyOf(seed));
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

function ofPrivateKey(privateKey: KeyObject): SigningKey {
  return { privateKey, ...named(createPublicKey(privateKey)) };
}

function named(publicKey: KeyObject): PublicKey {
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return { publicKey, id: createHash('sha256').update(der).digest('hex').slice(0, KEY_ID_CHARS) };
}

/** The 32 bytes of the public key in base64url. */
export function publicBytes({ publicKey }: PublicKey): string {
  return String(publicKey.export({ format: 'jwk' }).x);
}

export function jwkOf(id: string, x: string): Jwk {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: id, use: 'sig', alg: 'EdDSA' };
}

/** The key of the 32 bytes; its id follows from them. Throws if they are not a key. */
export function publicKeyOf(x: string): PublicKey {
  return named(createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }));
}

/** In base64. */
export function signatureOf(bytes: Buffer, { privateKey }: SigningKey): string {
  return sign(null, bytes, privateKey).toString('base64');
}

export function isSignedBy(bytes: Buffer, signature: string, { publicKey }: PublicKey): boolean {
  return verify(null, bytes, publicKey, Buffer.from(signature, 'base64'));
}

export type PublicKeys = ReadonlyMap<string, PublicKey>;

/**
 * The keys of one purpose from the text of a JWKS: a receipt's key must not verify a close. A key's id must follow from it,
 * so that a key cannot be published under another's name.
 */
export function keysOf(jwks: string, purpose?: Jwk['purpose']): PublicKeys {
  const { keys } = JSON.parse(jwks) as { keys?: { kty?: string; crv?: string; x?: string; purpose?: string }[] };
  if (!Array.isArray(keys)) throw new Error('the keys are not a JWKS: there is no member "keys"');
  const found = keys
    .filter((key) => key.kty === 'OKP' && key.crv === 'Ed25519' && key.purpose === purpose)
    .map(({ x }) => publicKeyOf(String(x)));
  if (found.length === 0) throw new Error('the JWKS has no Ed25519 key');
  return new Map(found.map((key) => [key.id, key]));
}
