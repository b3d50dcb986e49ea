// Encrypted PINs from terminals and apps: a compact JWE, encrypted with the secret of the API key and bound to a card.
import { createDecipheriv, type KeyObject } from 'node:crypto';
import { PIN_HEADER } from '@kissi/signatures/node';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

export interface PinForCard {
  pin: string;
  card_serial: string;
}

/** An invalid JWE is an invalid request and does not count as a PIN attempt. */
export function openPin(token: string, key: KeyObject): PinForCard | Refusal {
  const sealed = parseJwe(token);
  if (!sealed) return fault('must be a compact JWE with alg "dir" and enc "A256GCM"');
  const plain = decrypt(sealed, key);
  if (plain === null) return fault('cannot be decrypted with the secret that signed the request');
  return pinForCard(plain) ?? fault('must hold {"pin", "card_serial"}, both texts');
}

/** The parts of a compact JWE with direct encryption (RFC 7516). */
interface CompactJwe {
  /** As sent: the encoded header is the additional authenticated data. */
  header: string;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

const COMPACT_JWE = /^([\w-]+)\.\.([\w-]+)\.([\w-]*)\.([\w-]+)$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Nearly all clients send exactly this header; comparing it saves parsing. */
const COMMON_HEADER = Buffer.from(PIN_HEADER).toString('base64url');

function parseJwe(token: string): CompactJwe | null {
  const [, header = '', iv = '', ciphertext = '', tag = ''] = COMPACT_JWE.exec(token) ?? [];
  if (header !== COMMON_HEADER && !isSupportedHeader(header)) return null;
  const sealed = { header, iv: bytesOf(iv), ciphertext: bytesOf(ciphertext), tag: bytesOf(tag) };
  return sealed.iv.length === IV_BYTES && sealed.tag.length === TAG_BYTES ? sealed : null;
}

/** Rejects compression, which would allow decompression bombs, and critical extensions, which are not supported. */
function isSupportedHeader(header: string): boolean {
  try {
    const { alg, enc, zip, crit } = JSON.parse(bytesOf(header).toString('utf8')) as Record<string, unknown>;
    return alg === 'dir' && enc === 'A256GCM' && zip === undefined && crit === undefined;
  } catch {
    return false;
  }
}

/** Synchronous: a JWE library decrypts in a worker thread, which takes four times as long. */
function decrypt({ header, iv, ciphertext, tag }: CompactJwe, key: KeyObject): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(header, 'latin1')).setAuthTag(tag);
  try {
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function pinForCard(json: string): PinForCard | null {
  try {
    const { pin, card_serial } = JSON.parse(json) as Record<string, unknown>;
    return typeof pin === 'string' && typeof card_serial === 'string' ? { pin, card_serial } : null;
  } catch {
    return null;
  }
}

function fault(problem: string): Refusal {
  return refuse('INVALID_REQUEST', `encrypted_pin ${problem}.`);
}
