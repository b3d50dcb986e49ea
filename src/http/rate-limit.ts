// Rate limits per API key, user or IP address. Gateways share them if Redis is configured; they always share the limits
// on logins and public registrations from one address.
import type { Redis } from 'ioredis';
import {
  BurstyRateLimiter,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';
import {
  batchedCounts,
  type CountAtSupervisor,
  type Counted,
  type CountRequest,
  SharedLimiter,
} from './shared-limits.ts';

export interface Allowance {
  headers: Record<string, string>;
  /** Set if the request exceeds the limit. */
  refusal: Refusal | null;
}

export type AddressLimit = 'registration' | 'login' | 'bridge' | 'platform';

export interface RateLimits {
  forKey(keyId: string, ownRequestsPerSecond: number | null): Promise<Allowance>;
  forUser(userId: string): Promise<Allowance>;
  /** For callers without a credential. */
  forAddress(purpose: AddressLimit, ip: string): Promise<Refusal | null>;
}

/** The number of guesses in the window, including this one, and when the window started. */
export type CountGuess = (subject: string, windowMs: number) => Promise<{ counted: number; startedAt: number }>;

export interface RateLimitOptions {
  requestsPerSecond: number;
  burst: number;
  user: { requestsPerSecond: number; burst: number };
  perMinute: Record<AddressLimit, number>;
  clock: Clock;
  /** Counts a guess across all gateways. Without it, this process counts alone. */
  countGuess?: CountGuess;
  redis?: Redis;
  /** Counts across this machine's gateways. */
  countAtSupervisor?: CountAtSupervisor;
}

interface LimiterOptions extends RateLimitOptions {
  count?: (request: CountRequest) => Promise<Counted>;
}

type Limiter = Pick<RateLimiterAbstract, 'consume'>;

// The burst allowance is renewed this often, so a steady sender can slightly exceed its rate on average.
const BURST_WINDOW_SECONDS = 10;
const MINUTE_SECONDS = 60;

export function createRateLimits(given: RateLimitOptions): RateLimits {
  const { countAtSupervisor } = given;
  const options: LimiterOptions = countAtSupervisor ? { ...given, count: batchedCounts(countAtSupervisor) } : given;
  const byRate = new Map<number, CallerLimiter>();
  const forUser = createCallerLimiter(options, { subject: 'user', ...options.user });
  const byAddress = {
    registration: limiter(options, 'registration', options.perMinute.registration, MINUTE_SECONDS),
    login: limiter(options, 'login', options.perMinute.login, MINUTE_SECONDS),
    bridge: limiter(options, 'bridge', options.perMinute.bridge, MINUTE_SECONDS),
    platform: limiter(options, 'platform', options.perMinute.platform, MINUTE_SECONDS),
  };

  /** Keys with the same rate share a limiter. The burst is proportional to the rate. */
  function keyLimiter(requestsPerSecond: number): CallerLimiter {
    let found = byRate.get(requestsPerSecond);
    if (!found) {
      const burst = Math.round((options.burst / options.requestsPerSecond) * requestsPerSecond);
      found = createCallerLimiter(options, { subject: 'key', requestsPerSecond, burst });
      byRate.set(requestsPerSecond, found);
    }
    return found;
  }

  /** Checked after the process's own limit, which bounds the writes that one address can cause. */
  async function sharedRefusal(purpose: AddressLimit, network: string): Promise<Refusal | null> {
    const totals = await options.countGuess?.(`${purpose}:${network}`, MINUTE_MS);
    if (!totals || totals.counted <= options.perMinute[purpose]) return null;
    return tooMany('Too many requests from this address.', totals.startedAt + MINUTE_MS - options.clock.now());
  }

  return {
    forUser,
    forKey: (keyId, own) => keyLimiter(own ?? options.requestsPerSecond)(keyId),
    async forAddress(purpose, ip) {
      const network = networkOf(ip);
      const { spent, allowed } = await consume(byAddress[purpose], network);
      if (!allowed) return tooMany('Too many requests from this address.', spent.msBeforeNext);
      return isGuess(purpose) && !options.redis ? sharedRefusal(purpose, network) : null;
    },
  };
}

/** Logins guess passwords; registrations probe which numbers are registered. */
function isGuess(purpose: AddressLimit): boolean {
  return purpose === 'login' || purpose === 'registration';
}

/** Groups IPv6 addresses by /64 network, because a client usually controls all 2^64 addresses of one. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const groups = (ip.split('::', 1)[0] ?? '').split(':');
  return [...groups, '0', '0', '0', '0'].slice(0, 4).join(':');
}

type CallerLimiter = (callerId: string) => Promise<Allowance>;

interface CallerRate {
  subject: 'key' | 'user';
  requestsPerSecond: number;
  burst: number;
}

function createCallerLimiter(
  options: LimiterOptions,
  { subject, requestsPerSecond, burst }: CallerRate,
): CallerLimiter {
  const name = (suffix: string) => `${subject === 'key' ? '' : subject}${suffix}${requestsPerSecond}`;
  const rate = limiter(options, name('rate'), requestsPerSecond, 1);
  const extra = burst - requestsPerSecond;
  const bursty = extra > 0 ? burstyLimiter(rate, limiter(options, name('burst'), extra, BURST_WINDOW_SECONDS)) : rate;
  return async (callerId) => {
    const { spent, allowed } = await consume(bursty, callerId);
    const resetAt = Math.ceil((options.clock.now() + spent.msBeforeNext) / SECOND_MS);
    const headers = {
      'x-ratelimit-limit': String(requestsPerSecond),
      'x-ratelimit-remaining': String(Math.max(0, allowed ? spent.remainingPoints : 0)),
      'x-ratelimit-reset': String(resetAt),
    };
    const sentence = `Too many requests ${subject === 'key' ? 'with this key' : 'by this user'}.`;
    return { headers, refusal: allowed ? null : tooMany(sentence, spent.msBeforeNext) };
  };
}

/** The casts are safe: BurstyRateLimiter calls only `consume` on both. */
function burstyLimiter(rate: Limiter, burst: Limiter): Limiter {
  return new BurstyRateLimiter(rate as RateLimiterAbstract, burst as RateLimiterAbstract);
}

function limiter(options: LimiterOptions, name: string, points: number, duration: number): Limiter {
  if (options.count && !options.redis) return new SharedLimiter(options.count, { limit: name, points, duration });
  const inMemory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  if (!options.redis) return inMemory;
  // If Redis fails, each gateway counts separately: a limiter failure must not stop payments.
  return new RateLimiterRedis({
    storeClient: options.redis,
    keyPrefix: `kissi:${name}`,
    points,
    duration,
    insuranceLimiter: inMemory,
  });
}

async function consume(from: Limiter, key: string): Promise<{ spent: RateLimiterRes; allowed: boolean }> {
  try {
    return { spent: await from.consume(key), allowed: true };
  } catch (over) {
    if (over instanceof RateLimiterRes) return { spent: over, allowed: false };
    throw over;
  }
}

function tooMany(sentence: string, msBeforeNext: number): Refusal {
  return refuseForNow('RATE_LIMITED', sentence, msBeforeNext);
}
