// A PIN as terminals and apps send it: a compact JWE that opens with the secret of their key, made for one card.
import { createDecipheriv, type KeyObject } from 'node:crypto';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

/** What the key that opens it is derived for. */
export const PIN_PURPOSE = 'pin-encryption-v1';

export interface PinForCard {
  pin: string;
  card_serial: string;
}

/** Whatever is wrong with it is a fault of the body, and never an attempt at somebody's PIN. */
export function openPin(token: string, key: KeyObject): PinForCard | Refusal {
  const sealed = sealedIn(token);
  if (!sealed) return fault('must be a compact JWE with alg "dir" and enc "A256GCM"');
  const plain = decipher(sealed, key);
  if (plain === null) return fault('does not open with the secret that signed the request');
  return pinForCard(plain) ?? fault('must hold {"pin", "card_serial"}, both texts');
}

/** What RFC 7516 calls the parts of a compact JWE under a key that both sides know. */
interface Sealed {
  /** As it was sent: it is vouched for in that form. */
  header: string;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

const FORM = /^([\w-]+)\.\.([\w-]+)\.([\w-]*)\.([\w-]+)$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** {"alg":"dir","enc":"A256GCM"}, which is what nearly all send. */
const USUAL_HEADER = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');

function sealedIn(token: string): Sealed | null {
  const [, header = '', iv = '', ciphertext = '', tag = ''] = FORM.exec(token) ?? [];
  if (header !== USUAL_HEADER && !isOurs(header)) return null;
  const sealed = { header, iv: bytesOf(iv), ciphertext: bytesOf(ciphertext), tag: bytesOf(tag) };
  return sealed.iv.length === IV_BYTES && sealed.tag.length === TAG_BYTES ? sealed : null;
}

/** Nothing compressed, since what is not unpacked cannot burst; nothing that would have to be understood besides. */
function isOurs(header: string): boolean {
  try {
    const { alg, enc, zip, crit } = JSON.parse(bytesOf(header).toString('utf8')) as Record<string, unknown>;
    return alg === 'dir' && enc === 'A256GCM' && zip === undefined && crit === undefined;
  } catch {
    return false;
  }
}

/** At once: handed to another thread, as a library for all kinds of JWE does it, it takes four times as long. */
function decipher({ header, iv, ciphertext, tag }: Sealed, key: KeyObject): string | null {
  const opening = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  opening.setAAD(Buffer.from(header, 'latin1')).setAuthTag(tag);
  try {
    return opening.update(ciphertext, undefined, 'utf8') + opening.final('utf8');
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

function fault(says: string): Refusal {
  return refuse('INVALID_REQUEST', `encrypted_pin ${says}.`);
}
