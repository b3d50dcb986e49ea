// The signature of receipts: an Ed25519 key of their own, derived from MASTER_KEY, over the exact text of a receipt.
import { hkdfSync } from 'node:crypto';
import { type Jwk, jwkOf, publicBytes, signatureOf, signingKeyOfSeed } from '@kissi/signatures/documents';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { Derived, type Keys } from '../../kernel/key-ring.ts';
import type { Receipt } from './receipt.ts';

export interface SignedReceipt {
  receipt: Receipt;
  /** The text that is signed: the receipt as canonical JSON (RFC 8785). */
  document: string;
  signature: string;
  keyId: string;
}

export interface ReceiptSigner {
  sign(receipt: Receipt): SignedReceipt;
  keys(): Jwk[];
}

export function createReceiptSigner(masterKeys: Keys): ReceiptSigner {
  const derived = new Derived(masterKeys, (value) =>
    signingKeyOfSeed(Buffer.from(hkdfSync('sha256', value, '', 'kissi-receipt-signing-v1', 32))),
  );
  return {
    sign(receipt) {
      const key = derived.writing;
      // Named, so that the signature of a receipt is never that of another document.
      const document = canonicalJson({ kind: 'kissi-receipt-v1', ...receipt });
      return { receipt, document, signature: signatureOf(Buffer.from(document), key), keyId: key.id };
    },
    // Receipts signed under an old key can still be verified.
    keys: () => derived.all.map((key) => ({ ...jwkOf(key.id, publicBytes(key)), purpose: 'receipt' })),
  };
}
