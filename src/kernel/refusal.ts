// The one catalogue of codes: every way the service says no, with its HTTP status and what it means.
export const CATALOGUE = {
  INVALID_REQUEST: { status: 400, meaning: 'A field is missing or invalid; the sentence names it.' },
  INVALID_AMOUNT: { status: 400, meaning: 'The amount is not a positive whole number of minor units below 2^53.' },
  SAME_ACCOUNT: { status: 400, meaning: 'Sender and recipient are the same.' },
  INSUFFICIENT_FLOAT: { status: 400, meaning: "The agent's float does not cover it; available and required say why." },
  MISSING_PARENT: { status: 400, meaning: 'A sub-agent needs parent_agent_id.' },
  INVALID_PIN_FORMAT: { status: 400, meaning: 'The PIN is not 4 digits (balance).' },
  INVALID_PIN: {
    status: 401,
    meaning: "The PIN is wrong (attempts_remaining; an agent's: 400) or is not 4 digits (400).",
  },
  INVALID_OTP: {
    status: 401,
    meaning: 'The one-time code is wrong (attempts_remaining) or none is in force: ask for a new one.',
  },
  UNAUTHORIZED: { status: 401, meaning: 'The credential is missing, unknown, expired or revoked.' },
  INVALID_SIGNATURE: { status: 401, meaning: 'The HMAC signature does not match the request.' },
  EXPIRED_TIMESTAMP: {
    status: 401,
    meaning: 'The timestamp of a POS, partner or service signature is over 5 minutes off.',
  },
  STALE_REQUEST: { status: 401, meaning: 'The timestamp of an inbound request is over 2 minutes off.' },
  INSUFFICIENT_BALANCE: { status: 402, meaning: 'The balance does not cover the amount and its fee.' },
  FORBIDDEN: { status: 403, meaning: 'The role or scope does not allow this, or not for this target.' },
  PEP_ACCESS_REQUIRED: {
    status: 403,
    meaning: "The record is a politically exposed person's: it takes pep_access_authorized and a one-time code.",
  },
  SCOPE_DENIED: { status: 403, meaning: 'The inbound key lacks the scope this route needs.' },
  PARTNER_MISMATCH: { status: 403, meaning: 'X-Partner-ID is not the partner of the key.' },
  IP_NOT_ALLOWED: { status: 403, meaning: "The source address is outside the partner's allowlist." },
  ACCOUNT_LOCKED: { status: 403, meaning: 'Three wrong PINs locked the account; locked_until says until when.' },
  SUBSCRIBER_BLOCKED: { status: 403, meaning: 'The subscriber is blocked, or not active yet.' },
  TRANSACTION_TYPE_DISABLED: { status: 403, meaning: 'This type of transaction is disabled for the subscriber.' },
  PARTNER_SUSPENDED: { status: 403, meaning: 'The partner is suspended.' },
  PROCESSOR_SUSPENDED: { status: 403, meaning: 'The processor is suspended: it receives and sends nothing.' },
  AGENT_SUSPENDED: { status: 403, meaning: 'The agent is suspended: it moves and receives no money.' },
  MERCHANT_MISMATCH: { status: 403, meaning: 'merchant_id is not the merchant of the processor.' },
  CARD_BLOCKED: { status: 403, meaning: 'The card is blocked.' },
  NOT_FOUND: { status: 404, meaning: 'There is no such route or record.' },
  SUBSCRIBER_NOT_FOUND: { status: 404, meaning: 'There is no such subscriber.' },
  USER_NOT_FOUND: { status: 404, meaning: 'A partner named a subscriber there is not.' },
  CARD_NOT_FOUND: { status: 404, meaning: 'There is no such card.' },
  BENEFICIARY_NOT_FOUND: { status: 404, meaning: 'A partner named a beneficiary there is not.' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists but not with this method; see the Allow header.' },
  DUPLICATE_PHONE: { status: 409, meaning: 'The phone number is registered already.' },
  DUPLICATE_EMAIL: { status: 409, meaning: 'The email is registered already.' },
  DUPLICATE_MERCHANT_ID: { status: 409, meaning: 'The merchant_id belongs to another processor.' },
  USER_EXISTS: { status: 409, meaning: 'There is a user with this email already.' },
  NO_PHONE_NUMBER: { status: 409, meaning: 'The user has no phone number that a one-time code could be sent to.' },
  LAST_ADMIN: { status: 409, meaning: 'The change would leave no active system_admin.' },
  NOT_BLOCKED: { status: 409, meaning: 'The subscriber or card is not blocked.' },
  ALREADY_BLOCKED: {
    status: 409,
    meaning: 'The subscriber or card, or each of the named transaction types, is blocked already.',
  },
  ALREADY_SUSPENDED: { status: 409, meaning: 'The agent or processor is suspended already.' },
  NOT_SUSPENDED: { status: 409, meaning: 'The agent or processor is not suspended.' },
  AGENT_TERMINATED: { status: 409, meaning: 'The agent is terminated, which is final (403 where money would move).' },
  FLOAT_NOT_EMPTY: { status: 409, meaning: 'An agent is terminated only when its float is 0.' },
  NOT_ACTIVE: { status: 409, meaning: 'The subscriber is waiting for activation, which cannot be blocked.' },
  NOT_PENDING: { status: 409, meaning: 'The subscriber is not waiting for activation.' },
  PARTNER_WALLET_TAKEN: { status: 409, meaning: 'The partner wallet is linked to another subscriber.' },
  CARD_ALREADY_LINKED: { status: 409, meaning: 'The card is linked to a subscriber already.' },
  CHILD_CARD_LIMIT: { status: 409, meaning: 'The subscriber has as many child cards as it may have.' },
  REQUEST_CONFLICT: { status: 409, meaning: 'The request_id was used before for a request with other details.' },
  REFERENCE_CONFLICT: { status: 409, meaning: 'The reference was used before for a request with other details.' },
  DELIVERY_IN_PROGRESS: { status: 409, meaning: 'An attempt to deliver this webhook is under way.' },
  ALREADY_REVERSED: { status: 409, meaning: 'The inbound credit has been reversed already.' },
  ALREADY_RESOLVED: { status: 409, meaning: 'The alert is resolved or dismissed already, and stays so.' },
  RULE_LIMIT: { status: 409, meaning: 'There are as many enabled monitoring rules as there may be.' },
  NOT_REVERSIBLE: { status: 409, meaning: 'Only an inbound credit that was completed can be reversed.' },
  REPLAYED_REQUEST: {
    status: 409,
    meaning: "The nonce was used before with this key; or a service's signature, for another alert.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than 1 MiB, or an uploaded file than 64 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not declared as application/json, or as what an upload takes.',
  },
  CARD_NOT_ASSIGNED: { status: 422, meaning: 'The card is linked to no subscriber.' },
  BENEFICIARY_BLOCKED: {
    status: 422,
    meaning: 'The beneficiary or its card is blocked or not active yet, or inbound credits are disabled for it.',
  },
  BENEFICIARY_MISMATCH: { status: 422, meaning: 'The beneficiary_ref has expired or does not name this beneficiary.' },
  CURRENCY_MISMATCH: { status: 422, meaning: 'The currency is not that of the account.' },
  AMOUNT_OUT_OF_RANGE: {
    status: 422,
    meaning: 'The amount is outside what is agreed with the partner, or more than one funding may be.',
  },
  KYC_REQUIREMENT_MISSING: { status: 422, meaning: 'What the KYC level requires is not on file; missing lists it.' },
  DAILY_LIMIT_EXCEEDED: {
    status: 422,
    meaning: "The amount exceeds what is left of the wallet's or card's daily limit.",
  },
  MAX_BALANCE_EXCEEDED: { status: 422, meaning: 'The amount would exceed the maximum balance of the wallet.' },
  PARTNER_EXPOSURE_LIMIT_EXCEEDED: { status: 422, meaning: 'The partner would owe more than its outstanding limit.' },
  COMPLIANCE_BLOCKED: { status: 422, meaning: 'A compliance rule blocked the payment; alert_id names the alert.' },
  REFUND_EXCEEDS_PAYMENT: { status: 422, meaning: 'The refund is more than is left of the payment.' },
  NOT_REFUNDABLE: { status: 422, meaning: 'The transaction is no payment by card: only those are refunded.' },
  SETTLEMENT_EXCEEDS_OUTSTANDING: { status: 422, meaning: 'The settlement is more than the partner owes.' },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests; Retry-After says how many seconds to wait.' },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    meaning: 'Too many wrong passwords, or PINs by one credential, in 15 minutes; Retry-After says how long to wait.',
  },
  INTERNAL_ERROR: { status: 500, meaning: 'The service failed; the request may be tried again.' },
  TRANSACTION_FAILED: {
    status: 500,
    meaning: 'The service failed at a cash-in; send it again with the same reference.',
  },
  PROCESSING_FAILED: {
    status: 422,
    meaning: 'An inbound credit was accepted and then failed; nothing moved, and its reference is used up.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The service is stopping, not ready or overloaded; nothing was done, try again.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type Code = keyof typeof CATALOGUE;

export interface RefusalExtras {
  /** Only where a code has another status on some routes. */
  status?: number;
  /** Further fields of the reply. */
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  watched?: Watched;
}

/** The audit log hears of the refusal whoever it was given to, and of reads too: what was done, and to which record. */
export interface Watched {
  action: string;
  resourceType: string;
  resourceId: string;
}

/** An expected no: a value that services return, never an exception. */
export class Refusal {
  readonly code: Code;
  /** A sentence for people. */
  readonly message: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly watched: Watched | null;

  constructor(code: Code, message: string, extras: RefusalExtras = {}) {
    this.code = code;
    this.message = message;
    this.status = extras.status ?? CATALOGUE[code].status;
    this.details = extras.details ?? {};
    this.headers = extras.headers ?? {};
    this.watched = extras.watched ?? null;
  }
}

export function refuse(code: Code, message: string, extras?: RefusalExtras): Refusal {
  return new Refusal(code, message, extras);
}
