// Limits look-ups of cards and accounts that do not exist, so that merchants and agents cannot find them by trying.
import type { AttemptCounts } from '../db/attempt-counts.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/**
 * Per processor or agent, and window. A terminal misses when a customer presents a card of another system, and an agent
 * when a new customer is not registered yet.
 */
const MAX_MISSES = 100;
const MAX_BLOCKED = 10_000;

export interface LookupLimit {
  /**
   * Before a look-up for this processor, agent or user; null: no limit. Needs no query: a gateway learns of the misses on
   * others with its own next one.
   */
  refusal(subject: string | null): Refusal | null;
  /** After a look-up that found nothing. */
  countMiss(subject: string | null): Promise<Refusal | null>;
}

/** Staff and keys of the operator are not limited: they serve the customers of many merchants and agents. */
export function createLookupLimit(counts: Pick<AttemptCounts, 'add'>, clock: Clock): LookupLimit {
  const blocked = expiringCache<{ until: number }>({ max: MAX_BLOCKED, ttlMs: WINDOW_MS, clock });
  return {
    refusal(subject) {
      const until = subject === null ? 0 : (blocked.get(subject)?.until ?? 0);
      return until > clock.now() ? tooMany(until - clock.now()) : null;
    },
    async countMiss(subject) {
      if (subject === null) return null;
      const { counted, startedAt } = await counts.add(
        `lookup-misses:${subject}`,
        { counted: 1, correct: 0 },
        WINDOW_MS,
      );
      if (counted <= MAX_MISSES) return null;
      blocked.set(subject, { until: startedAt + WINDOW_MS });
      return tooMany(startedAt + WINDOW_MS - clock.now());
    },
  };
}

function tooMany(retryAfterMs: number): Refusal {
  return refuseForNow('TOO_MANY_ATTEMPTS', 'Too many look-ups of unknown cards and accounts.', retryAfterMs);
}
