// Decides whether and when a request is sent again.

const BASE_DELAY_MS = 250;

export interface Attempt {
  /** The number of attempts so far. */
  attempts: number;
  maxRetries: number;
  maxRetryDelayMs: number;
  /** Repeating it has no second effect: it reads, replaces, or carries an idempotency key. */
  isIdempotent: boolean;
}

/** What an attempt ended with; null status if there was no complete reply. */
export interface Outcome {
  status: number | null;
  code: string;
  retryAfterMs: number | null;
}

/** Milliseconds until the next attempt, or null if there is none. `random` is between 0 and 1. */
export function retryDelayMs(outcome: Outcome, attempt: Attempt, random: number): number | null {
  if (attempt.attempts > attempt.maxRetries) return null;
  if (!isRetryable(outcome, attempt)) return null;
  const longest = Math.min(attempt.maxRetryDelayMs, BASE_DELAY_MS * 2 ** attempt.attempts);
  // Full jitter, so that clients that failed together do not return together.
  if (outcome.retryAfterMs === null) return Math.round(longest * random);
  const delay = outcome.retryAfterMs + Math.round(BASE_DELAY_MS * random);
  return outcome.retryAfterMs > attempt.maxRetryDelayMs ? null : delay;
}

function isRetryable({ status, code }: Outcome, { isIdempotent }: Attempt): boolean {
  // The request was refused before it was read, so that repeating it is always safe.
  if (status === 429) return code === 'RATE_LIMITED';
  return isIdempotent && (status === null || status >= 500 || status === 408);
}

/** Reads Retry-After: seconds or a date. Null if it is absent or neither. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value === '') return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
