// Schemas for receipts.
import { type Static, type TSchema, Type } from 'typebox';
import { minorUnits, narration, textOrNull, timestamp } from '../../http/fields.ts';
import { STATUSES } from './receipt.ts';
import type { SignedReceipt } from './signature.ts';

export const receiptParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128, description: 'The last part of receipt_url.' }),
});

export const languageQuery = Type.Object({
  lang: Type.Optional(Type.String({ maxLength: 16, description: 'The language of the page: en or kri.' })),
});

const party = Type.Object(
  {
    name: textOrNull("A customer's first name and initial; a business in full."),
    phone_number: textOrNull("A customer's, masked: +232 ** *** 456. Null for others."),
  },
  { title: 'ReceiptParty' },
);

const receipt = Type.Object(
  {
    transaction_id: Type.String(),
    type: Type.String(),
    amount: minorUnits(),
    currency: Type.String(),
    payer: party,
    payee: party,
    created_at: timestamp('When the money moved.'),
    status: Type.Enum(STATUSES, { description: 'At signed_at.' }),
    returned_amount: minorUnits('What was refunded or reversed so far. Minor units.'),
    operator: Type.String({ description: "The operator's legal name." }),
    url: textOrNull('The link; only a path if the operator has not configured PUBLIC_ORIGIN.'),
    valid_until: timestamp('When the link ends.'),
    signed_at: timestamp('When the receipt was read from the books.'),
  },
  { title: 'Receipt' },
);

const signedReceipt = Type.Object(
  {
    receipt,
    document: Type.String({
      description: 'The exact text that is signed: the receipt and its kind as canonical JSON (RFC 8785) in UTF-8.',
    }),
    signature: Type.String({ description: 'Ed25519 over the bytes of the document, in base64.' }),
    key_id: Type.String({ description: 'The key of /.well-known/kissi-keys.json that verifies the signature.' }),
  },
  { title: 'SignedReceipt' },
);

export const receiptReply = signedReceipt;

/** Programs get JSON; a browser gets a page. */
export const publicReceiptReply = {
  description: 'The receipt, or a page for browsers (`Accept: text/html`).',
  content: {
    'application/json': { schema: signedReceipt },
    'text/html': { schema: Type.String({ description: 'A page for people.' }) },
  },
} as unknown as TSchema;

export const revokeBody = Type.Object({
  reason: narration('Why; kept in the audit log.'),
});
export const revokeReply = Type.Object({ success: Type.Literal(true), message: Type.String() });

export function receiptJson({ receipt, document, signature, keyId }: SignedReceipt): Static<typeof signedReceipt> {
  return { receipt, document, signature, key_id: keyId };
}
