// Validates and normalizes inbound requests. Malformed requests are refused and not recorded.
import type { KeyCaller } from '../../../auth/caller.ts';
import { canonicalJsonText } from '../../../kernel/canonical-json.ts';
import { CURRENCY, parseAmount } from '../../../kernel/money.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { comparableSerial } from '../../../parties/card.ts';
import {
  type IdempotencyKey,
  invalidAmount,
  idempotencyKey as keyOf,
  narrationOf,
  referenceScope,
} from '../../../payments/plan.ts';
import type { CreditBody, IdentifierFields, Payer } from './schemas.ts';

export const INBOUND_CREDIT = 'inbound_credit';

const IDENTIFIERS = ['account_number', 'msisdn', 'card_serial'] as const;

export interface Identifier {
  by: (typeof IDENTIFIERS)[number];
  value: string;
}

export function readIdentifier(fields: IdentifierFields): Identifier | Refusal {
  const [by, ...more] = IDENTIFIERS.filter((field) => fields[field] !== undefined);
  if (by === undefined || more.length > 0) {
    return refuse('INVALID_REQUEST', `Send exactly one of ${IDENTIFIERS.join(', ')}.`);
  }
  const value = fields[by] ?? '';
  return { by, value: by === 'card_serial' ? comparableSerial(value) : value };
}

export function currencyRefusal(currency: string | undefined): Refusal | null {
  if (currency === undefined || currency === CURRENCY) return null;
  return refuse('CURRENCY_MISMATCH', `currency must be ${CURRENCY}, the account's currency.`);
}

/** The authenticated partner and its key. */
export interface PartnerCaller {
  partnerId: string;
  keyId: string;
}

/** Inbound authentication accepts only keys that belong to a partner. */
export function partnerCallerOf(caller: KeyCaller | { kind: string }): PartnerCaller {
  if (!('partnerId' in caller) || caller.partnerId === null)
    throw new Error('an inbound route was reached by a key without a partner');
  return { partnerId: caller.partnerId, keyId: caller.id };
}

/** A well-formed credit. It is recorded whatever its outcome. */
export interface Credit extends PartnerCaller {
  /** The X-Idempotency-Key header: recorded, but not used to recognize retries. */
  idempotencyKey: string;
  reference: string;
  identifier: Identifier;
  amount: number;
  currency: string;
  narration: string | null;
  payer: Payer;
  /** JSON text, as sent. */
  metadata: string | null;
  beneficiaryRef: string | null;
  /** Recognizes retries by partner and reference. */
  key: IdempotencyKey;
}

export interface CreditRequest {
  caller: PartnerCaller;
  body: CreditBody;
  /** As sent: a number or decimal digits. */
  amount: number | string;
  idempotencyKey: string;
}

const MAX_METADATA_CHARACTERS = 16_384;

export function readCredit({ caller, body, amount: rawAmount, idempotencyKey }: CreditRequest): Credit | Refusal {
  const identifier = readIdentifier(body);
  if (identifier instanceof Refusal) return identifier;
  const amount = parseAmount(rawAmount);
  if (amount === null) return invalidAmount();
  const { metadata = null } = body;
  if (metadata !== null && !isMetadata(metadata)) {
    return refuse(
      'INVALID_REQUEST',
      `metadata must be a JSON object of at most ${MAX_METADATA_CHARACTERS} characters.`,
    );
  }
  const { reference, currency = CURRENCY, beneficiary_ref: beneficiaryRef = null, payer = {} } = body;
  const narration = narrationOf(body.narration);
  const { by, value } = identifier;
  const { name = null, account_masked = null, bank_code = null } = payer;
  // Without beneficiary_ref: it only repeats the beneficiary, and a retry may send a newer one.
  const details = [
    by,
    value,
    amount,
    currency,
    narration,
    name,
    account_masked,
    bank_code,
    metadata && canonicalJsonText(metadata),
  ];
  // Scoped to the partner, not to the API key: a retry after a key rotation is still a retry.
  const key = keyOf(INBOUND_CREDIT, referenceScope(caller.partnerId), reference, details);
  const fields = { reference, identifier, amount, currency, narration, payer, metadata, beneficiaryRef };
  return { ...caller, ...fields, idempotencyKey, key };
}

/** Null is a value here: a credit with null differs from one without metadata. */
function isMetadata(json: string): boolean {
  return json === 'null' || (json.startsWith('{') && json.length <= MAX_METADATA_CHARACTERS);
}
