// Rate limits: per API key and per user with a burst, per address where there is no credential; shared through Redis when
// there is one.
import type { Redis } from 'ioredis';
import {
  BurstyRateLimiter,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

export interface Allowance {
  headers: Record<string, string>;
  /** Set when the request is one too many. */
  refusal: Refusal | null;
}

export type AddressLimit = 'registration' | 'login' | 'bridge' | 'platform';

export interface RateLimits {
  forKey(keyId: string, ownRequestsPerSecond: number | null): Promise<Allowance>;
  forUser(userId: string): Promise<Allowance>;
  /** For callers without a credential, by where they call from. */
  forAddress(purpose: AddressLimit, ip: string): Promise<Refusal | null>;
}

export interface RateLimitOptions {
  requestsPerSecond: number;
  burst: number;
  user: { requestsPerSecond: number; burst: number };
  perMinute: Record<AddressLimit, number>;
  clock: Clock;
  redis?: Redis;
}

// What a burst takes beyond the rate comes back this often: who is always over its rate averages some more.
const BURST_WINDOW_SECONDS = 10;
const MINUTE_SECONDS = 60;

export function createRateLimits(options: RateLimitOptions): RateLimits {
  const byRate = new Map<number, CallerLimiter>();
  const forUser = createCallerLimiter(options, { who: 'user', ...options.user });
  const byAddress = {
    registration: limiter(options, 'registration', options.perMinute.registration, MINUTE_SECONDS),
    login: limiter(options, 'login', options.perMinute.login, MINUTE_SECONDS),
    bridge: limiter(options, 'bridge', options.perMinute.bridge, MINUTE_SECONDS),
    platform: limiter(options, 'platform', options.perMinute.platform, MINUTE_SECONDS),
  };

  /** Keys with a limit of their own share a limiter with those of the same rate; the burst keeps its proportion. */
  function keyLimiter(requestsPerSecond: number): CallerLimiter {
    let found = byRate.get(requestsPerSecond);
    if (!found) {
      const burst = Math.round((options.burst / options.requestsPerSecond) * requestsPerSecond);
      found = createCallerLimiter(options, { who: 'key', requestsPerSecond, burst });
      byRate.set(requestsPerSecond, found);
    }
    return found;
  }

  return {
    forUser,
    forKey: (keyId, own) => keyLimiter(own ?? options.requestsPerSecond)(keyId),
    async forAddress(purpose, ip) {
      const { spent, allowed } = await spend(byAddress[purpose], networkOf(ip));
      return allowed ? null : tooMany('Too many requests from this address.', spent.msBeforeNext);
    },
  };
}

/** Whoever has one IPv6 address has 2^64 of them: a network counts as one. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const groups = (ip.split('::', 1)[0] ?? '').split(':');
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
}

type CallerLimiter = (callerId: string) => Promise<Allowance>;

interface CallerRate {
  who: 'key' | 'user';
  requestsPerSecond: number;
  burst: number;
}

function createCallerLimiter(options: RateLimitOptions, { who, requestsPerSecond, burst }: CallerRate): CallerLimiter {
  const name = (what: string) => `${who === 'key' ? '' : who}${what}${requestsPerSecond}`;
  const rate = limiter(options, name('rate'), requestsPerSecond, 1);
  const extra = burst - requestsPerSecond;
  const bursty =
    extra > 0 ? new BurstyRateLimiter(rate, limiter(options, name('burst'), extra, BURST_WINDOW_SECONDS)) : rate;
  return async (callerId) => {
    const { spent, allowed } = await spend(bursty, callerId);
    const resetAt = Math.ceil((options.clock.now() + spent.msBeforeNext) / SECOND_MS);
    const headers = {
      'x-ratelimit-limit': String(requestsPerSecond),
      'x-ratelimit-remaining': String(Math.max(0, allowed ? spent.remainingPoints : 0)),
      'x-ratelimit-reset': String(resetAt),
    };
    const sentence = `Too many requests ${who === 'key' ? 'with this key' : 'by this user'}.`;
    return { headers, refusal: allowed ? null : tooMany(sentence, spent.msBeforeNext) };
  };
}

function limiter(options: RateLimitOptions, name: string, points: number, duration: number): RateLimiterAbstract {
  const inMemory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  if (!options.redis) return inMemory;
  // Without Redis each gateway goes on counting for itself: a broken limiter must not stop payments.
  return new RateLimiterRedis({
    storeClient: options.redis,
    keyPrefix: `kissi:${name}`,
    points,
    duration,
    insuranceLimiter: inMemory,
  });
}

async function spend(
  from: RateLimiterAbstract | BurstyRateLimiter,
  key: string,
): Promise<{ spent: RateLimiterRes; allowed: boolean }> {
  try {
    return { spent: await from.consume(key), allowed: true };
  } catch (over) {
    if (over instanceof RateLimiterRes) return { spent: over, allowed: false };
    throw over;
  }
}

function tooMany(sentence: string, msBeforeNext: number): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / SECOND_MS));
  return refuse('RATE_LIMITED', `${sentence} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
