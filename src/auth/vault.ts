// Encryption of secrets at rest: AES-256-GCM with a key derived from MASTER_KEY. Each secret is bound to its owner.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Vault {
  /** `context` identifies the owner, for example the key's id: a value copied to another row cannot be decrypted. */
  seal(plain: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = Buffer.from([1]);

export function createVault(masterKey: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'kissi-vault-v1', 32));
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([VERSION, iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION[0]) throw new Error('an encrypted secret has an unknown version');
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context)).setAuthTag(tag);
      const body = sealed.subarray(1 + IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
}
