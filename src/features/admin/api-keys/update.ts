// Edits of an API key: its name, and less authority than before. A key never gains any.
import type { Actor, AuditLog } from '../../../audit/log.ts';
import type { Scope } from '../../../auth/roles.ts';
import type { Queries } from '../../../db/database.ts';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { auditResource, checkExpiry, checkScopes, isExpiredOrRevoked, noSuchKey, readLimit } from './checks.ts';
import type { KeyChanges } from './schemas.ts';
import { type ApiKeyRow, lockKey, updateKey } from './store.ts';

export async function update(
  { audit, clock }: { audit: AuditLog; clock: Clock },
  trx: Queries,
  actor: Actor,
  { id, changes }: { id: string; changes: KeyChanges },
): Promise<ApiKeyRow | Refusal> {
  const before = await lockKey(trx, id);
  // A body without changes is accepted for any key, so that a record that was read can be sent back.
  if (!before || (Object.keys(changes).length > 0 && isExpiredOrRevoked(before, clock.now()))) return noSuchKey();
  const scopes = changes.scopes === undefined ? (before.scopes as Scope[]) : fewerScopes(before, changes.scopes);
  if (scopes instanceof Refusal) return scopes;
  const expires_at = earlierExpiry(before, changes.expires_at, clock.now());
  if (expires_at instanceof Refusal) return expires_at;
  const daily_limit = lowerLimit(before, changes.daily_limit);
  if (daily_limit instanceof Refusal) return daily_limit;
  const name = changes.name === undefined ? before.name : tidy(changes.name);
  const details = {
    ...differenceOf('name', before.name, name),
    ...differenceOf('scopes', before.scopes, scopes),
    ...differenceOf('expires_at', before.expires_at && iso(before.expires_at), expires_at && iso(expires_at)),
    ...differenceOf('daily_limit', before.daily_limit, daily_limit),
  };
  if (Object.keys(details).length === 0) return before;
  const after = await updateKey(trx, id, { name, scopes, expires_at, daily_limit });
  await audit.record(trx, actor, { action: 'api_key.update', ...auditResource(id), details });
  return after;
}

function fewerScopes({ scopes }: ApiKeyRow, requested: string[]): Scope[] | Refusal {
  const kept = checkScopes(requested);
  if (kept instanceof Refusal) return kept;
  const added = kept.filter((scope) => !scopes.includes(scope));
  if (added.length === 0) return kept;
  const sentence = `scopes contains ${added.join(', ')}, which the key does not have: create a new key.`;
  return refuse('INVALID_REQUEST', sentence);
}

function earlierExpiry({ expires_at }: ApiKeyRow, text: string | undefined, now: number): Date | null | Refusal {
  const at = checkExpiry(text, now);
  if (at === null) return expires_at;
  if (at instanceof Refusal || expires_at === null || at <= expires_at) return at;
  return refuse('INVALID_REQUEST', 'expires_at can only be brought forward: create a new key.');
}

function lowerLimit({ daily_limit }: ApiKeyRow, text: string | undefined): number | null | Refusal {
  if (text === undefined) return daily_limit;
  const limit = readLimit(text);
  if (limit instanceof Refusal || (daily_limit !== null && limit <= daily_limit)) return limit;
  return refuse('INVALID_REQUEST', 'daily_limit can only be reduced: create a new key.');
}

function differenceOf(field: string, from: unknown, to: unknown): Record<string, unknown> {
  return JSON.stringify(from) === JSON.stringify(to) ? {} : { [field]: { from, to } };
}
