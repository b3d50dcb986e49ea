// Limits partner enquiries that find nobody, so that a partner's key cannot find customers by trying numbers.
import type { AttemptCounts } from '../db/attempt-counts.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import { expiringCache } from '../kernel/expiring-cache.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/** Per partner and window. A partner is limited only if the misses are also a large part: a bank has many customers. */
const MAX_MISSES = 200;
const MAX_MISSED_PART = 0.3;
/** A gateway adds its hits to the shared count together with a miss, or this many at once. */
const SHARED_HITS = 50;
const MAX_PARTNERS = 10_000;
/** For all partners, per gateway. Beyond it, a customer may count twice. */
const MAX_SEEN = 200_000;

export interface EnquiryLimit {
  /** Before an enquiry. */
  refusal(partnerId: string): Refusal | null;
  /** After an enquiry, before it is answered, and after a credit was refused. `customer`: null if it found nobody. */
  count(partnerId: string, customer: string | null): Promise<Refusal | null>;
  /** Both: for a credit that nobody could get, before it is refused. */
  asEnquiry(partnerId: string, customer: string | null): Promise<Refusal | null>;
}

/** Credits that somebody could get are never refused here. A gateway learns of the enquiries on others with its own next miss. */
export function createEnquiryLimit(counts: Pick<AttemptCounts, 'add'>, clock: Clock): EnquiryLimit {
  const blocked = expiringCache<{ until: number }>({ max: MAX_PARTNERS, ttlMs: WINDOW_MS, clock });
  const hits = new Map<string, number>();
  // A customer counts once: the misses would otherwise become a small part by repeating one known number. Made at the first
  // enquiry, because it reserves memory for all its entries, which would take a third of the start of a gateway.
  let seen: ReturnType<typeof expiringCache<object>> | undefined;

  function refusal(partnerId: string): Refusal | null {
    const until = blocked.get(partnerId)?.until ?? 0;
    if (until <= clock.now()) return null;
    return refuseForNow('TOO_MANY_LOOKUPS', 'Too many enquiries found nobody.', until - clock.now());
  }

  function isNew(partnerId: string, customer: string): boolean {
    const key = `${partnerId} ${customer}`;
    seen ??= expiringCache<object>({ max: MAX_SEEN, ttlMs: WINDOW_MS, clock });
    if (seen.has(key)) return false;
    seen.set(key, SEEN);
    return true;
  }

  async function count(partnerId: string, customer: string | null): Promise<Refusal | null> {
    const found = customer !== null;
    const correct = (hits.get(partnerId) ?? 0) + (found && isNew(partnerId, customer) ? 1 : 0);
    if (found && correct < SHARED_HITS) {
      hits.set(partnerId, correct);
      return null;
    }
    hits.delete(partnerId);
    const added = { counted: found ? 0 : 1, correct };
    const { counted, correct: answered, startedAt } = await counts.add(`enquiries:${partnerId}`, added, WINDOW_MS);
    const isOver = counted > MAX_MISSES && counted > MAX_MISSED_PART * (counted + answered);
    if (isOver) blocked.set(partnerId, { until: startedAt + WINDOW_MS });
    return refusal(partnerId);
  }

  return { refusal, count, asEnquiry: async (id, customer) => refusal(id) ?? count(id, customer) };
}

const SEEN = {};
