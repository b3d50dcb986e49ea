// Encryption of secrets at rest: AES-256-GCM with keys derived from MASTER_KEY. Each secret is bound to its owner, and names its key.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Derived, FIRST_KEY, type Keys } from '../kernel/key-ring.ts';

export interface Vault {
  /** `context` identifies the owner, for example the key's id: a value copied to another row cannot be decrypted. */
  seal(plain: string, context: string): Buffer;
  /** Only with a configured key: what is sealed under a retired one was not written by the service. */
  open(sealed: Buffer, context: string): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** A secret under the first key, which has no id. */
const WITHOUT_ID = 1;
/** The length of the key's id and the id follow. */
const WITH_ID = 2;

export function createVault(keys: Keys): Vault {
  const derived = new Derived(keys, (value, id) => ({
    id,
    key: Buffer.from(hkdfSync('sha256', value, '', 'kissi-vault-v1', KEY_BYTES)),
  }));
  return {
    seal(plain, context) {
      const { id, key } = derived.writing;
      return Buffer.concat([header(id), encrypt(key, plain, context)]);
    },
    open(sealed, context) {
      const { id, start } = readHeader(sealed);
      return decrypt(derived.of(id).key, sealed.subarray(start), context);
    },
  };
}

/** A vault with one key of its own. `version`: the first byte of what it encrypts, which tells the kind of key. */
export function vaultWith(key: Buffer, version: number): Vault {
  return {
    seal: (plain, context) => Buffer.concat([Buffer.from([version]), encrypt(key, plain, context)]),
    open(sealed, context) {
      if (sealed[0] !== version) throw new Error(UNKNOWN_VERSION);
      return decrypt(key, sealed.subarray(1), context);
    },
  };
}

const UNKNOWN_VERSION = 'an encrypted secret has an unknown version';

function encrypt(key: Buffer, plain: string, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, encrypted: Buffer, context: string): string {
  const iv = encrypted.subarray(0, IV_BYTES);
  const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
  const body = encrypted.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function header(id: string): Buffer {
  if (id === FIRST_KEY) return Buffer.from([WITHOUT_ID]);
  return Buffer.concat([Buffer.from([WITH_ID, id.length]), Buffer.from(id, 'latin1')]);
}

function readHeader(sealed: Buffer): { id: string; start: number } {
  if (sealed[0] === WITHOUT_ID) return { id: FIRST_KEY, start: 1 };
  if (sealed[0] !== WITH_ID) throw new Error(UNKNOWN_VERSION);
  const start = 2 + (sealed[1] ?? 0);
  return { id: sealed.toString('latin1', 2, start), start };
}

/** SQL that reads the key's id of a sealed column. Null: it is under a customer's own key, or erased. */
export function keyIdSql(column: string): string {
  return `case when length(${column}) = 0 then null else case get_byte(${column}, 0) when ${WITHOUT_ID} then '${FIRST_KEY}'
    when ${WITH_ID} then convert_from(substr(${column}, 3, get_byte(${column}, 1)), 'LATIN1') end end`;
}
