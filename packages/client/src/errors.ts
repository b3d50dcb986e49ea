// The client's errors. Each has the service's code, which programs can rely on; the message is for people.
import type { ErrorCode } from './generated/traits.gen.ts';

export interface ErrorDetails {
  code: string;
  message: string;
  /** Null if there was no reply. */
  status?: number | null;
  requestId?: string | null;
  idempotencyKey?: string | null;
  attempts?: number;
  /** Additional fields of the reply, such as `attempts_remaining`. */
  fields?: Record<string, unknown>;
  retryAfterMs?: number | null;
  cause?: unknown;
}

/** The service failed (status 500 or more), or it answered with something that is not its own reply. */
export class KissiError extends Error {
  override readonly name: string = 'KissiError';
  /** A code of docs/errors.md, or of the client itself: TIMEOUT, CONNECTION_FAILED, CREDENTIALS_MISSING, NOT_THE_SERVICE. */
  readonly code: ErrorCode | (string & {});
  /** HTTP status; null if there was no reply. */
  readonly status: number | null;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  /** The `request_id` or `reference` that was sent. Call again with it, and the payment is made once. */
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  /** Additional fields of the reply, such as `attempts_remaining`, `locked_until` or `alert_id`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null;

  constructor({ code, message, cause, ...details }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.idempotencyKey = details.idempotencyKey ?? null;
    this.attempts = details.attempts ?? 0;
    this.fields = details.fields ?? {};
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** The credential is missing, wrong, expired or not allowed to do this. */
export class KissiAuthenticationError extends KissiError {
  override readonly name = 'KissiAuthenticationError';
}

/** The service understood the request and refused it; repeating it unchanged does not help. */
export class KissiRefusalError extends KissiError {
  override readonly name = 'KissiRefusalError';
}

/** Too many requests or wrong attempts: try again after `retryAfterMs`. */
export class KissiRateLimitError extends KissiError {
  override readonly name = 'KissiRateLimitError';
}

/**
 * No complete reply arrived, although the call was retried if that is safe. The request may have been carried out:
 * repeat a payment with the same `idempotencyKey`.
 */
export class KissiConnectionError extends KissiError {
  override readonly name = 'KissiConnectionError';
}

/** A webhook that did not come from the service, or that is too old. */
export class KissiWebhookError extends KissiError {
  override readonly name = 'KissiWebhookError';
}

/** These say that the caller is not who it must be. Other 401 and 403 codes refuse the payment, such as INVALID_PIN. */
const AUTHENTICATION_CODES = new Set([
  'UNAUTHORIZED',
  'INVALID_SIGNATURE',
  'EXPIRED_TIMESTAMP',
  'STALE_REQUEST',
  'FORBIDDEN',
  'SCOPE_DENIED',
  'PARTNER_MISMATCH',
  'IP_NOT_ALLOWED',
  'PASSWORD_CHANGE_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_ENROLMENT_REQUIRED',
  'INVALID_SECOND_FACTOR',
  'CREDENTIALS_MISSING',
]);

export function errorOf(details: ErrorDetails): KissiError {
  const { status = null, code } = details;
  if (AUTHENTICATION_CODES.has(code)) return new KissiAuthenticationError(details);
  if (status === null) return new KissiConnectionError(details);
  if (status === 429) return new KissiRateLimitError(details);
  return status >= 400 && status < 500 ? new KissiRefusalError(details) : new KissiError(details);
}

/** The code, message and additional fields of a refusal, in each of the envelopes of the service. */
export function readRefusal(status: number, body: unknown): Pick<ErrorDetails, 'code' | 'message' | 'fields'> {
  const fallback = { code: status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST', message: `HTTP status ${status}` };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ...fallback, fields: {} };
  const { success: _, status: _status, code, error, message, data, ...others } = body as Record<string, unknown>;
  return {
    code: typeof code === 'string' ? code : codeOf(status, fallback.code),
    message: textOf(error) ?? textOf(message) ?? fallback.message,
    fields: { ...others, ...(typeof data === 'object' && data !== null ? data : {}) },
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The replies of webhook routes have no code. */
function codeOf(status: number, fallback: string): string {
  const codes: Record<number, string> = {
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    429: 'RATE_LIMITED',
  };
  return codes[status] ?? fallback;
}
