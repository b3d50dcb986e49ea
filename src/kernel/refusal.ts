// The catalogue of error codes: HTTP status and meaning of each. docs/errors.md is generated from it.
import { SECOND_MS } from './clock.ts';
export const CATALOGUE = {
  INVALID_REQUEST: { status: 400, meaning: 'A field is missing or invalid; the message names it.' },
  INVALID_AMOUNT: { status: 400, meaning: 'The amount is not a positive whole number of minor units below 2^53.' },
  SAME_ACCOUNT: { status: 400, meaning: 'Sender and recipient are the same.' },
  INSUFFICIENT_FLOAT: { status: 400, meaning: "The agent's float is below the amount; see available and required." },
  MISSING_PARENT: { status: 400, meaning: 'A sub-agent requires parent_agent_id.' },
  INVALID_PIN_FORMAT: { status: 400, meaning: 'The PIN is not 4 digits (balance inquiry).' },
  INVALID_PIN: {
    status: 401,
    meaning: "The PIN is wrong (attempts_remaining; an agent's: 400) or is not 4 digits (400).",
  },
  INVALID_OTP: {
    status: 401,
    meaning: 'The one-time code is wrong (attempts_remaining), or there is no valid one: request a new one.',
  },
  INVALID_CODE: {
    status: 401,
    meaning:
      "The login's challenge or its code is wrong, used or expired, or no code was sent: log in again. An agent entered a wrong cash-out code (400).",
  },
  SECOND_FACTOR_REQUIRED: {
    status: 401,
    meaning: 'The password is right and a second factor is needed: answer the challenge within 5 minutes.',
  },
  INVALID_SECOND_FACTOR: {
    status: 401,
    meaning: 'The code or passkey is wrong or was used before (attempts_remaining at login).',
  },
  UNAUTHORIZED: { status: 401, meaning: 'The credential is missing, unknown, expired or revoked.' },
  INVALID_SIGNATURE: { status: 401, meaning: 'The HMAC signature does not match the request.' },
  EXPIRED_TIMESTAMP: {
    status: 401,
    meaning: 'The timestamp of a POS, partner or service signature is off by over 5 min.',
  },
  STALE_REQUEST: { status: 401, meaning: 'The timestamp of an inbound request is over 2 minutes off.' },
  INSUFFICIENT_BALANCE: { status: 402, meaning: 'The balance does not cover the amount and its fee.' },
  FORBIDDEN: { status: 403, meaning: 'The role or scope does not allow this, or not for this target.' },
  PEP_ACCESS_REQUIRED: {
    status: 403,
    meaning: "A politically exposed person's record requires pep_access_authorized and a one-time code.",
  },
  APPROVAL_REQUIRED: {
    status: 403,
    meaning: "A policy requires a second user's approval. Only API keys with an approved daily_limit need none.",
  },
  NOT_INDEPENDENT: { status: 403, meaning: 'Requester, approver or uploader of the evidence are not independent.' },
  PASSWORD_CHANGE_REQUIRED: { status: 403, meaning: 'The password was generated and must be changed first.' },
  SECOND_FACTOR_ENROLMENT_REQUIRED: { status: 403, meaning: 'Staff must enrol a second factor first.' },
  SCOPE_DENIED: { status: 403, meaning: 'The inbound key lacks the scope this route needs.' },
  PARTNER_MISMATCH: { status: 403, meaning: "X-Partner-ID is not the key's partner." },
  IP_NOT_ALLOWED: { status: 403, meaning: "The source address is outside the partner's allowlist." },
  ACCOUNT_LOCKED: {
    status: 403,
    meaning:
      "Three wrong PINs in a row, or ten on one UTC day, locked the account until locked_until; nine on the customer's own channels lock these until the PIN is reset (locked_until null).",
  },
  NEW_DEVICE: {
    status: 403,
    meaning: 'In its first 24 hours a device cannot change this; see restricted_until.',
  },
  SUBSCRIBER_BLOCKED: { status: 403, meaning: 'The subscriber is blocked, or not active yet.' },
  TRANSACTION_TYPE_DISABLED: { status: 403, meaning: 'This type of transaction is disabled for the subscriber.' },
  PARTNER_SUSPENDED: { status: 403, meaning: 'The partner is suspended.' },
  PROCESSOR_SUSPENDED: { status: 403, meaning: 'The processor is suspended: it cannot send or receive money.' },
  AGENT_SUSPENDED: { status: 403, meaning: 'The agent is suspended: it cannot send or receive money.' },
  MERCHANT_MISMATCH: { status: 403, meaning: "merchant_id is not the processor's merchant." },
  CARD_BLOCKED: { status: 403, meaning: 'The card is blocked.' },
  NOT_FOUND: { status: 404, meaning: 'There is no such route or record.' },
  SUBSCRIBER_NOT_FOUND: { status: 404, meaning: 'There is no such subscriber.' },
  USER_NOT_FOUND: { status: 404, meaning: 'There is no such subscriber (partner routes).' },
  CARD_NOT_FOUND: { status: 404, meaning: 'There is no such card.' },
  ARCHIVED: { status: 409, meaning: 'Transactions from that time are archived and no longer in the database.' },
  BENEFICIARY_NOT_FOUND: { status: 404, meaning: 'There is no such beneficiary.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists but not with this method; see the Allow header.' },
  DUPLICATE_PHONE: { status: 409, meaning: 'The phone number is already registered.' },
  DUPLICATE_IDENTITY: {
    status: 409,
    meaning: 'The identity document belongs to another subscriber at KYC level 2 or 3.',
  },
  DUPLICATE_EMAIL: { status: 409, meaning: 'The email address is already registered.' },
  DUPLICATE_MERCHANT_ID: { status: 409, meaning: 'The merchant_id belongs to another processor.' },
  USER_EXISTS: { status: 409, meaning: 'A user with this email address already exists.' },
  NO_PHONE_NUMBER: { status: 409, meaning: 'The user has no phone number to send a one-time code to.' },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    meaning: 'The second factor is already enrolled, or the user has the maximum number of passkeys.',
  },
  SECOND_FACTOR_NOT_ENROLLED: {
    status: 409,
    meaning: 'The user has no such second factor, or its enrolment was not confirmed in time.',
  },
  PASSKEYS_NOT_CONFIGURED: { status: 409, meaning: 'The operator has not configured passkeys (PUBLIC_ORIGIN).' },
  POLICY_LOCKED: { status: 409, meaning: 'users.change stays enabled while any other approval policy is.' },
  LAST_ADMIN: { status: 409, meaning: 'The change would leave no active system_admin.' },
  CERTIFICATION_RUNNING: { status: 409, meaning: 'A certification run of the partner is not finished.' },
  NOT_LOCKED: { status: 409, meaning: 'The account is not locked.' },
  NOT_BLOCKED: { status: 409, meaning: 'The subscriber or card is not blocked.' },
  ALREADY_BLOCKED: {
    status: 409,
    meaning: 'The subscriber or card, or each of the named transaction types, is already blocked.',
  },
  ALREADY_SUSPENDED: { status: 409, meaning: 'The agent or processor is already suspended.' },
  NOT_SUSPENDED: { status: 409, meaning: 'The agent or processor is not suspended.' },
  AGENT_TERMINATED: { status: 409, meaning: 'The agent is terminated, which is final (403 if money would move).' },
  FLOAT_NOT_EMPTY: { status: 409, meaning: 'Only an agent whose float is 0 can be terminated.' },
  NOT_ACTIVE: { status: 409, meaning: 'The subscriber is waiting for activation and cannot be blocked.' },
  NOT_PENDING: { status: 409, meaning: 'The subscriber is not waiting for activation.' },
  PHONE_NOT_VERIFIED: { status: 409, meaning: 'The phone number is not verified: enter the code sent to it first.' },
  PARTNER_WALLET_TAKEN: { status: 409, meaning: 'The partner wallet is linked to another subscriber.' },
  CARD_ALREADY_LINKED: { status: 409, meaning: 'The card is already linked to a subscriber.' },
  CARD_HAS_CHILDREN: { status: 409, meaning: 'The card has linked child cards: unlink or retire them first.' },
  CHILD_CARD_LIMIT: { status: 409, meaning: 'The subscriber has the maximum number of child cards.' },
  TRUST_ACCOUNT_EXISTS: { status: 409, meaning: 'A trust account with this bank and account number already exists.' },
  TRUST_ACCOUNT_CLOSED: { status: 409, meaning: 'The trust account is closed.' },
  TRUST_ACCOUNT_IN_USE: {
    status: 409,
    meaning:
      'The account number of a trust account with statements cannot change, and one with a balance cannot be closed.',
  },
  REQUEST_CONFLICT: { status: 409, meaning: 'The request_id was used before with different details.' },
  REFERENCE_CONFLICT: { status: 409, meaning: 'The reference was used before with different details.' },
  DELIVERY_IN_PROGRESS: { status: 409, meaning: 'A delivery attempt for this webhook is in progress.' },
  ALREADY_RETURNED: { status: 409, meaning: 'The pay-out was already returned to the processor.' },
  DUPLICATE_BANK_ACCOUNT: { status: 409, meaning: 'The processor already has this bank account.' },
  PAYOUT_CLEARED: {
    status: 409,
    meaning: "The bank has executed the pay-out: it is returned with the bank's credit, and stays matched with it.",
  },
  ALREADY_MATCHED: { status: 409, meaning: 'A bank entry or transaction is already matched or written off.' },
  ALREADY_UNDONE: { status: 409, meaning: 'The match is already undone.' },
  RECONCILIATION_RUNNING: { status: 409, meaning: 'Another reconciliation run is in progress.' },
  ALREADY_CAPTURED: { status: 409, meaning: 'The authorisation has been captured: it can be refunded, not voided.' },
  ALREADY_VOIDED: { status: 409, meaning: 'The authorisation was voided: its money is available again.' },
  EXPIRED: { status: 409, meaning: 'What the request names has expired; see expires_at.' },
  ALREADY_PAID: { status: 409, meaning: 'The payment request has been paid, or the cash-out code redeemed.' },
  CANCELLED: {
    status: 409,
    meaning: 'The payee has cancelled the payment request, or the customer the cash-out code.',
  },
  DECLINED: { status: 409, meaning: 'The payer has declined the payment request.' },
  QUOTE_CHANGED: { status: 409, meaning: 'The price has changed since the quote: confirm the new one in quote.' },
  QUOTE_USED: { status: 409, meaning: 'The quote has been paid. Ask for the outcome of its request_id.' },
  ALREADY_REVERSED: { status: 409, meaning: 'The inbound credit is already reversed.' },
  ALREADY_RESOLVED: {
    status: 409,
    meaning: 'The alert is resolved or dismissed, or the item of the suspense account is resolved, which is final.',
  },
  ALREADY_CLOSED: { status: 409, meaning: 'The day is closed, or the close was corrected: see close_id.' },
  CLOSE_OUT_OF_ORDER: { status: 409, meaning: 'Days are closed one after another: the next one is next_date.' },
  ALREADY_DECIDED: { status: 409, meaning: 'The request was decided or withdrawn, or has expired.' },
  REQUESTER_NOT_PERMITTED: {
    status: 409,
    meaning: 'The requester of an approval is no longer active or no longer has the permission (refusal_code).',
  },
  RECORD_CHANGED: {
    status: 409,
    meaning: 'The record to change has changed since the request: request the change again (refusal_code).',
  },
  NO_SECRETS: { status: 409, meaning: 'The approval has no secrets, or they were collected or erased.' },
  SAVED_VIEW_EXISTS: { status: 409, meaning: 'The user already has a view of this screen with this name.' },
  SAVED_VIEW_LIMIT: { status: 409, meaning: 'The user has the maximum number of saved views.' },
  WEBHOOK_ENDPOINT_LIMIT: { status: 409, meaning: 'The owner has the maximum number of webhook endpoints.' },
  RULE_LIMIT: { status: 409, meaning: 'The maximum number of monitoring rules is enabled.' },
  NOT_REVERSIBLE: { status: 409, meaning: 'Only a completed inbound credit can be reversed.' },
  REPLAYED_REQUEST: { status: 409, meaning: 'The nonce was used before with this key.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning:
      "The body is larger than 1 MiB, an uploaded file than 64 MiB, or a messaging platform's post than 100 messages.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The Content-Type is not application/json, or not one that the upload accepts.',
  },
  DAY_NOT_OVER: { status: 422, meaning: 'The day cannot be closed until closable_from.' },
  CARD_NOT_ASSIGNED: { status: 422, meaning: 'The card is not linked to a subscriber.' },
  BENEFICIARY_BLOCKED: {
    status: 422,
    meaning: 'The beneficiary or its card is blocked or not active yet, or inbound credits are disabled for it.',
  },
  BENEFICIARY_MISMATCH: { status: 422, meaning: 'The beneficiary_ref has expired or does not name this beneficiary.' },
  CURRENCY_MISMATCH: { status: 422, meaning: "The currency is not the account's." },
  COMMISSION_EXCEEDS_FEES: {
    status: 422,
    meaning:
      'With this commission percentage, the percentages of a transaction type would pay out more than they charge.',
  },
  AMOUNT_OUT_OF_RANGE: {
    status: 422,
    meaning: 'The amount is outside the limits agreed with the partner, or above the maximum of one funding.',
  },
  KYC_REQUIREMENT_MISSING: { status: 422, meaning: 'Data that the KYC level requires is not on file; see missing.' },
  DAILY_LIMIT_EXCEEDED: {
    status: 422,
    meaning: 'The amount exceeds what is left of the daily limit of the wallet, the card or the suspense account.',
  },
  KEY_LIMIT_EXCEEDED: {
    status: 422,
    meaning: "The amount exceeds what is left of the API key's daily_limit; see available and required.",
  },
  MATCH_DOES_NOT_BALANCE: {
    status: 422,
    meaning: 'The bank entries and the transactions do not add up to the same sum; see bank_amount and books_amount.',
  },
  CREDIT_BEFORE_PAYOUT: { status: 422, meaning: 'The credit is dated before the pay-out that it is to return.' },
  NOT_RECONCILABLE: { status: 422, meaning: 'The transaction does not stand for money at a bank.' },
  PAYOUT_NOT_WRITTEN_OFF: { status: 422, meaning: 'A pay-out is matched or returned, and never written off.' },
  TREASURY_LIMIT_EXCEEDED: {
    status: 422,
    meaning: 'The treasury would issue more than its daily limit; see available and required.',
  },
  MAX_BALANCE_EXCEEDED: { status: 422, meaning: 'The amount would exceed the maximum balance of the wallet.' },
  PARTNER_EXPOSURE_LIMIT_EXCEEDED: { status: 422, meaning: 'The partner would owe more than its outstanding limit.' },
  EXECUTION_REFUSED: {
    status: 422,
    meaning: 'The request was approved, but its execution was refused; see refusal_code. This is final.',
  },
  STATEMENT_INVALID: {
    status: 422,
    meaning:
      'The bank statement does not add up, does not continue the previous one, or is about another account; the sentence says where. Nothing was stored.',
  },
  COMPLIANCE_BLOCKED: { status: 422, meaning: 'A compliance rule blocked the payment; see alert_id.' },
  AMOUNT_MISMATCH: { status: 422, meaning: 'The amount is not what the payment request asks for; see required.' },
  CAPTURE_EXCEEDS_AUTHORIZATION: { status: 422, meaning: 'The amount is more than was authorised.' },
  REFUND_EXCEEDS_PAYMENT: { status: 422, meaning: 'The refund exceeds what is left of the payment.' },
  NOT_REFUNDABLE: { status: 422, meaning: 'Only card payments can be refunded.' },
  SETTLEMENT_EXCEEDS_OUTSTANDING: { status: 422, meaning: 'The settlement exceeds what the partner owes.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; wait for the seconds in Retry-After.' },
  TOO_MANY_LOOKUPS: {
    status: 429,
    meaning:
      'Too many different cards, accounts or customers were looked up, or too many were not found; see Retry-After.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    meaning:
      'Too many wrong passwords or second factors, or wrong PINs by one credential, in 15 minutes; wait for the seconds in Retry-After.',
  },
  INTERNAL_ERROR: { status: 500, meaning: 'The service failed; the request may be retried.' },
  TRANSACTION_FAILED: {
    status: 500,
    meaning: 'The service failed during a cash-in; retry with the same reference.',
  },
  PROCESSING_FAILED: {
    status: 422,
    meaning: 'An inbound credit was accepted and then failed. No money moved, and the reference cannot be used again.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The service is stopping, not ready or overloaded. Nothing was done; retry.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type Code = keyof typeof CATALOGUE;

/** The schema of an error code. */
export const ERROR_CODE = {
  type: 'string',
  title: 'ErrorCode',
  description: 'An error code. Later versions may add more.',
  enum: Object.keys(CATALOGUE),
};

export interface RefusalExtras {
  /** If it differs from the catalogue's status on this route. */
  status?: number;
  /** Additional fields of the response. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  audited?: AuditedRefusal;
}

/** Marks a refusal that is always audited, for any caller and for reads too. */
export interface AuditedRefusal {
  action: string;
  resourceType: string;
  /** Absent if the refusal is about no single record. */
  resourceId?: string;
}

/** An expected refusal. Services return it as a value and never throw it. */
export class Refusal {
  readonly code: Code;
  /** For people. */
  readonly message: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly audited: AuditedRefusal | null;

  constructor(code: Code, message: string, extras: RefusalExtras = {}) {
    this.code = code;
    this.message = message;
    this.status = extras.status ?? CATALOGUE[code].status;
    this.details = extras.details ?? {};
    this.headers = extras.headers ?? {};
    this.audited = extras.audited ?? null;
  }
}

export function refuse(code: Code, message: string, extras?: RefusalExtras): Refusal {
  return new Refusal(code, message, extras);
}

/** A refusal that ends by itself: the sentence and the header Retry-After say when, in whole seconds and at least one. */
export function refuseForNow(code: Code, sentence: string, retryAfterMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  return refuse(code, `${sentence} Try again in ${seconds} s.`, { headers: { 'retry-after': String(seconds) } });
}
