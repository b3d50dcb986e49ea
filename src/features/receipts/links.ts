// Receipt links: the token of a transaction is its id, encrypted. No link is stored, and nobody without the key can make one.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Derived, type Keys } from '../../kernel/key-ring.ts';
import { isMovementType, MOVEMENT_TYPES } from '../../ledger/movement-types.ts';

export interface ReceiptLinks {
  /** The link of a movement's receipt; null if its type has none. Only a path if the service's origin is not configured. */
  url(movement: { id: string; type: string }): string | null;
  /** The same for a transaction that has a receipt. */
  urlById(transactionId: string): string | null;
  /** The path of the link, for pages of this service. */
  path(transactionId: string): string | null;
  /** The transaction ids that a token may stand for, one per key. Empty for other text; a forged token yields ids that do not exist. */
  transactionIds(token: string): string[];
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID = /^txn_([0-7][0-9A-HJKMNP-TV-Z]{25})$/;
const ID_CHARS = 26;
const TOKEN = /^[\w-]{22}$/;
const BLOCK_BYTES = 16;

/** Links that were given out under an old key stay valid. */
export function createReceiptLinks(masterKeys: Keys, publicOrigin: string): ReceiptLinks {
  const derived = new Derived(masterKeys, (value) =>
    Buffer.from(hkdfSync('sha256', value, '', 'kissi-receipt-links-v1', 32)),
  );
  const path = (id: string) => {
    const token = tokenFor(derived.writing, id);
    return token && `/r/${token}`;
  };
  const urlById = (id: string) => {
    const found = path(id);
    return found && publicOrigin + found;
  };
  return {
    url: ({ id, type }) => (hasReceipt(type) ? urlById(id) : null),
    urlById,
    path,
    transactionIds: (token) => derived.all.flatMap((key) => readToken(key, token) ?? []),
  };
}

/** Payments of customers and merchants. What the operator moves between its own accounts and agents' floats has none. */
export function hasReceipt(type: string): boolean {
  if (!isMovementType(type)) return false;
  return MOVEMENT_TYPES[type].accounts.flat().some((kind) => kind === 'wallet' || kind === 'processor');
}

/**
 * An id is 128 bits, which is one block of AES: a permutation of all ids that only the key's holder can compute. To guess a
 * link is to guess 128 bits of which one in 2^98 is a transaction, even with a billion of them.
 */
function tokenFor(key: Buffer, id: string): string | null {
  const digits = ID.exec(id)?.[1];
  if (digits === undefined) return null;
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(blockOf(digits)), cipher.final()]).toString('base64url');
}

function readToken(key: Buffer, token: string): string | null {
  const block = TOKEN.test(token) ? Buffer.from(token, 'base64url') : null;
  // The last character has unused bits: one link has one spelling.
  if (block?.toString('base64url') !== token) return null;
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return `txn_${digitsOf(Buffer.concat([decipher.update(block), decipher.final()]))}`;
}

function blockOf(digits: string): Buffer {
  const value = [...digits].reduce((sum, digit) => sum * 32n + BigInt(ALPHABET.indexOf(digit)), 0n);
  return Buffer.from(value.toString(16).padStart(BLOCK_BYTES * 2, '0'), 'hex');
}

function digitsOf(block: Buffer): string {
  let value = BigInt(`0x${block.toString('hex')}`);
  let digits = '';
  for (let index = 0; index < ID_CHARS; index++) {
    digits = ALPHABET.charAt(Number(value % 32n)) + digits;
    value /= 32n;
  }
  return digits;
}
