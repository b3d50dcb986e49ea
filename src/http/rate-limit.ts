// Rate limits per API key, user or IP address. Gateways share them if Redis is configured; they always share the limits
// on logins and public registrations from one address.
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { andThen, type MaybePromise } from '../kernel/maybe-promise.ts';
import { type Refusal, refuseForNow } from '../kernel/refusal.ts';
import { type Consume, countingWindows, type Spent } from './counting-windows.ts';
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

export type AddressLimit = 'registration' | 'login' | 'customer' | 'bridge' | 'platform' | 'page' | 'notice';

export interface RateLimits {
  forKey(keyId: string, ownRequestsPerSecond: number | null): MaybePromise<Allowance>;
  forUser(userId: string): MaybePromise<Allowance>;
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

/** At once if this process counts alone. */
type Limiter = Consume<MaybePromise<Spent>>;

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
    customer: limiter(options, 'customer', options.perMinute.customer, MINUTE_SECONDS),
    bridge: limiter(options, 'bridge', options.perMinute.bridge, MINUTE_SECONDS),
    platform: limiter(options, 'platform', options.perMinute.platform, MINUTE_SECONDS),
    page: limiter(options, 'page', options.perMinute.page, MINUTE_SECONDS),
    notice: limiter(options, 'notice', options.perMinute.notice, MINUTE_SECONDS),
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
      const { allowed, msBeforeNext } = await byAddress[purpose](network);
      if (!allowed) return tooMany('Too many requests from this address.', msBeforeNext);
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

type CallerLimiter = (callerId: string) => MaybePromise<Allowance>;

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
  const sentence = `Too many requests ${subject === 'key' ? 'with this key' : 'by this user'}.`;
  const allowance = ({ allowed, remaining, msBeforeNext }: Spent): Allowance => ({
    headers: {
      'x-ratelimit-limit': String(requestsPerSecond),
      'x-ratelimit-remaining': String(Math.max(0, allowed ? remaining : 0)),
      'x-ratelimit-reset': String(Math.ceil((options.clock.now() + msBeforeNext) / SECOND_MS)),
    },
    refusal: allowed ? null : tooMany(sentence, msBeforeNext),
  });
  return (callerId) => andThen(bursty(callerId), allowance);
}

/** A request beyond the rate uses the burst. It can be repeated when either window ends. */
function burstyLimiter(rate: Limiter, burst: Limiter): Limiter {
  return (key) =>
    andThen(rate(key), (spent) =>
      spent.allowed
        ? spent
        : andThen(burst(key), ({ allowed, msBeforeNext }) => ({
            allowed,
            remaining: spent.remaining,
            msBeforeNext: Math.min(spent.msBeforeNext, msBeforeNext),
          })),
    );
}

function limiter(options: LimiterOptions, name: string, points: number, duration: number): Limiter {
  if (options.count && !options.redis)
    return consuming(new SharedLimiter(options.count, { limit: name, points, duration }));
  if (!options.redis) return countingWindows({ points, duration });
  const redisLimiter = new RateLimiterRedis({
    storeClient: options.redis,
    keyPrefix: `kissi:${name}`,
    points,
    duration,
    // If Redis fails, each gateway counts separately: a limiter failure must not stop payments.
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration }),
  });
  return consuming(redisLimiter);
}

function consuming(from: { consume(key: string): Promise<RateLimiterRes> }): Limiter {
  const spent = (allowed: boolean, { remainingPoints: remaining, msBeforeNext }: RateLimiterRes): Spent => ({
    allowed,
    remaining,
    msBeforeNext,
  });
  return async (key) => {
    try {
      return spent(true, await from.consume(key));
    } catch (over) {
      if (over instanceof RateLimiterRes) return spent(false, over);
      throw over;
    }
  };
}

function tooMany(sentence: string, msBeforeNext: number): Refusal {
  return refuseForNow('RATE_LIMITED', sentence, msBeforeNext);
}
