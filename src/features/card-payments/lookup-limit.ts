// Limits a processor's look-ups of cards and accounts that do not exist, so that it cannot find them by trying.
import type { KeyCaller } from '../../auth/caller.ts';
import type { AttemptCounts } from '../../db/attempt-counts.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { expiringCache } from '../../kernel/expiring-cache.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/** Per processor and window. A terminal misses when a customer presents a card of another system. */
const MAX_MISSES = 100;
const MAX_BLOCKED = 10_000;

export interface LookupLimit {
  /** Before a look-up. Needs no query: a gateway learns of the misses on others with its own next one. */
  refusal(key: KeyCaller): Refusal | null;
  /** After a look-up that found nothing. */
  countMiss(key: KeyCaller): Promise<Refusal | null>;
}

/** Keys of the operator are not limited: they serve the customers of many merchants. */
export function createLookupLimit(counts: Pick<AttemptCounts, 'add'>, clock: Clock): LookupLimit {
  const blocked = expiringCache<{ until: number }>({ max: MAX_BLOCKED, ttlMs: WINDOW_MS, clock });
  return {
    refusal({ processorId }) {
      const until = processorId === null ? 0 : (blocked.get(processorId)?.until ?? 0);
      return until > clock.now() ? tooMany(until - clock.now()) : null;
    },
    async countMiss({ processorId }) {
      if (processorId === null) return null;
      const { counted, startedAt } = await counts.add(
        `card-misses:${processorId}`,
        { counted: 1, correct: 0 },
        WINDOW_MS,
      );
      if (counted <= MAX_MISSES) return null;
      blocked.set(processorId, { until: startedAt + WINDOW_MS });
      return tooMany(startedAt + WINDOW_MS - clock.now());
    },
  };
}

function tooMany(retryAfterMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  const sentence = `Too many look-ups of unknown cards and accounts by this processor. Try again in ${seconds} s.`;
  return refuse('TOO_MANY_ATTEMPTS', sentence, { headers: { 'retry-after': String(seconds) } });
}
