// An LRU cache whose entries expire by the injected clock, so that tests can move time.
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export interface ExpiringCacheOptions<Value> {
  /** Maximum number of entries; beyond it the least recently used one is evicted. */
  max: number;
  ttlMs: number;
  clock: Clock;
  /** Called when an entry expires, is evicted or is removed. */
  onRemoved?(value: Value): void;
}

/** Expired entries are removed when they are looked up, or by `purgeStale`. */
export function expiringCache<Value extends object>({
  max,
  ttlMs,
  clock,
  onRemoved = () => undefined,
}: ExpiringCacheOptions<Value>): LRUCache<string, Value> {
  return new LRUCache({
    max,
    // The library keeps an entry for a whole ttl; here it has expired when its age is ttlMs.
    ttl: ttlMs - 1,
    // Reads the clock at each look-up.
    ttlResolution: 0,
    perf: clock,
    dispose: onRemoved,
  });
}
