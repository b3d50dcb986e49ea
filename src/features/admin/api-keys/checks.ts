// Checks and refusals that the operations on API keys share.
import { LIMITED_SCOPES, SCOPES, type Scope } from '../../../auth/roles.ts';
import { parseInstant } from '../../../http/fields.ts';
import { parseAmount } from '../../../kernel/money.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import type { ApiKeyRow } from './store.ts';

export function checkScopes(requested: string[]): Scope[] | Refusal {
  const known: readonly string[] = SCOPES;
  const unknown = requested.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    return refuse('INVALID_REQUEST', `scopes contains ${unknown}, which is not a known scope.`);
  return SCOPES.filter((scope) => requested.includes(scope));
}

export function checkExpiry(text: string | undefined, now: number): Date | null | Refusal {
  if (text === undefined) return null;
  const at = parseInstant(text);
  if (at === null) return refuse('INVALID_REQUEST', 'expires_at must be an instant in ISO 8601.');
  return at.getTime() > now ? at : refuse('INVALID_REQUEST', 'expires_at must be in the future.');
}

/** What the key may move in one UTC day: required with the scopes that move the operator's or a merchant's money. */
export function checkLimit(text: string | undefined, scopes: readonly Scope[]): number | null | Refusal {
  const isLimited = scopes.some((scope) => LIMITED_SCOPES.includes(scope));
  if (text === undefined) return isLimited ? limitRefusal('is required with') : null;
  return isLimited ? readLimit(text) : limitRefusal('is only for keys with');
}

function limitRefusal(rule: string): Refusal {
  return refuse('INVALID_REQUEST', `daily_limit ${rule} the scopes ${LIMITED_SCOPES.join(' and ')}.`);
}

export function readLimit(text: string): number | Refusal {
  const limit = parseAmount(text);
  return limit ?? refuse('INVALID_REQUEST', 'daily_limit must be a positive whole number of minor units below 2^53.');
}

/** An expired or revoked key can be neither rotated nor changed. */
export function isExpiredOrRevoked({ revoked_at, expires_at }: ApiKeyRow, now: number): boolean {
  return revoked_at !== null || (expires_at !== null && expires_at.getTime() <= now);
}

export function auditResource(keyId: string) {
  return { resourceType: 'api_key', resourceId: keyId };
}

export function tooManyKeys(): Refusal {
  return refuse('INVALID_REQUEST', 'The processor has too many active keys: revoke one first.');
}

export function noSuchKey(): Refusal {
  return refuse('NOT_FOUND', 'The API key does not exist or is no longer valid.');
}
