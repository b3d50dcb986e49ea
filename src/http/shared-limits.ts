// Rate limits shared by the gateway processes of one machine: the supervisor counts, each gateway asks in batches.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** One request of a caller (`key`) against one limit. */
export interface CountRequest {
  limit: string;
  points: number;
  /** Seconds. */
  duration: number;
  key: string;
}

export interface Counted {
  allowed: boolean;
  remaining: number;
  msBeforeNext: number;
  consumed: number;
}

/** Runs in the supervisor. */
export class LimitCounter {
  private readonly limits = new Map<string, RateLimiterMemory>();

  count(requests: CountRequest[]): Promise<Counted[]> {
    return Promise.all(requests.map((request) => this.countOne(request)));
  }

  private async countOne({ limit, points, duration, key }: CountRequest): Promise<Counted> {
    const limiter = this.limits.get(limit) ?? new RateLimiterMemory({ keyPrefix: limit, points, duration });
    this.limits.set(limit, limiter);
    const { spent, allowed } = await limiter.consume(key).then(
      (spent) => ({ spent, allowed: true }),
      (over: RateLimiterRes) => ({ spent: over, allowed: false }),
    );
    const { remainingPoints: remaining, msBeforeNext, consumedPoints: consumed } = spent;
    return { allowed, remaining, msBeforeNext, consumed };
  }
}

export type CountAtSupervisor = (requests: CountRequest[]) => Promise<Counted[]>;

/** Collects the requests of one turn of the event loop, so that busy gateways send few messages. */
export function batchedCounts(send: CountAtSupervisor): (request: CountRequest) => Promise<Counted> {
  let open: { requests: CountRequest[]; counted: Promise<Counted[]> } | null = null;
  return async (request) => {
    open ??= startBatch();
    const { requests, counted } = open;
    const index = requests.push(request) - 1;
    return (await counted)[index] as Counted;
  };

  function startBatch() {
    const requests: CountRequest[] = [];
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const counted = turn.then(() => {
      open = null;
      return send(requests);
    });
    return { requests, counted };
  }
}

/** Falls back to counting in this process while the supervisor does not answer: a limiter must not stop payments. */
export class SharedLimiter {
  private readonly count: (request: CountRequest) => Promise<Counted>;
  private readonly limit: Omit<CountRequest, 'key'>;
  private readonly alone: RateLimiterMemory;

  constructor(count: (request: CountRequest) => Promise<Counted>, limit: Omit<CountRequest, 'key'>) {
    this.count = count;
    this.limit = limit;
    this.alone = new RateLimiterMemory({ keyPrefix: limit.limit, points: limit.points, duration: limit.duration });
  }

  /** Rejects with the result if the limit is exceeded, like the limiters of rate-limiter-flexible. */
  async consume(key: string): Promise<RateLimiterRes> {
    const counted = await this.count({ ...this.limit, key }).catch(() => null);
    if (!counted) return this.alone.consume(key);
    const { remaining, msBeforeNext, consumed, allowed } = counted;
    const spent = new RateLimiterRes(remaining, msBeforeNext, consumed, consumed === 1);
    if (!allowed) throw spent;
    return spent;
  }
}
