// Admission control (a CoDel-style queue): serves a bounded number of requests, queues bursts, rejects sustained overload.

export interface AdmissionOptions {
  /** Requests served concurrently. */
  limit: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

export interface AdmissionState {
  inFlight: number;
  limit: number;
  waiting: number;
  rejected: number;
}

interface Waiting {
  since: number;
  decide(admitted: boolean): void;
}

// The queue holds this multiple of the limit during a burst, and this share of it during overload.
const BURST_QUEUE = 8;
const OVERLOAD_QUEUE = 1 / 2;
// The target delay: a request is late when it waits longer than this multiple of the mean service time, within bounds.
const TARGET_FACTOR = 2;
const MIN_TARGET_MS = 100;
const MAX_TARGET_MS = 200;
// During overload nearly all waiting requests are rejected: the sooner, the better for their clients and for the rest.
const MAX_OVERLOAD_TARGET_MS = 120;
// The queue is overloaded when its head has been late for this multiple of the target delay.
const OVERLOAD_FACTOR = 3;
// The mean service time is an exponential average over the last few dozen requests.
const SMOOTHING = 1 / 64;
const INITIAL_SERVICE_MS = 25;
const SWEEP_MS = 20;
const COMPACT_AFTER = 1_000;

/**
 * A request that cannot be served at once waits, before any work is done for it. While the head of the queue is regularly
 * admitted in time, the queue is a burst: all are admitted, first come first served. Once the head stays late, it is
 * overload: the queue is short, the newest are admitted first, because their clients still wait, and late requests are
 * rejected. No timer runs while the queue is empty.
 */
export class AdmissionControl {
  readonly now: () => number;
  private readonly limit: number;
  private inFlight = 0;
  private serviceMs = INITIAL_SERVICE_MS;
  /** Oldest first, starting at index `head`. */
  private queue: Waiting[] = [];
  private head = 0;
  /** When the head of the queue was last in time, or the queue was empty. */
  private inTimeAt = 0;
  private rejectedAt = Number.NEGATIVE_INFINITY;
  private sweeping: NodeJS.Timeout | undefined;
  private rejected = 0;

  constructor({ limit, now = () => performance.now() }: AdmissionOptions) {
    this.limit = limit;
    this.now = now;
  }

  /** An admitted request must call `leave` or `release`. */
  enter(): boolean | Promise<boolean> {
    if (this.inFlight < this.limit) {
      this.inFlight += 1;
      return true;
    }
    const since = this.now();
    if (this.rejects(since)) return false;
    if (this.waiting() === 0) this.inTimeAt = since;
    const { promise, resolve: decide } = Promise.withResolvers<boolean>();
    this.queue.push({ since, decide });
    // Rejects late requests even when no request in flight finishes.
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return promise;
  }

  /** True: a request that arrives now is rejected, and has been counted. */
  rejects(now = this.now()): boolean {
    if (this.inFlight < this.limit) return false;
    const overloaded = this.isOverloaded(now);
    if (this.waiting() < this.limit * (overloaded ? OVERLOAD_QUEUE : BURST_QUEUE)) return false;
    this.rejected += 1;
    if (overloaded) this.rejectedAt = now;
    return true;
  }

  /** Gives the slot back without counting the service time. */
  release(): void {
    this.inFlight -= 1;
    if (this.sweeping) this.admitWaiting(this.now());
  }

  /** `enteredAt`: when the request was admitted, by `now`. */
  leave(enteredAt: number): void {
    const now = this.now();
    this.inFlight -= 1;
    this.serviceMs += (now - enteredAt - this.serviceMs) * SMOOTHING;
    if (this.sweeping) this.admitWaiting(now);
  }

  sweep(): void {
    this.admitWaiting(this.now());
  }

  state(): AdmissionState {
    return { inFlight: this.inFlight, limit: this.limit, waiting: this.waiting(), rejected: this.rejected };
  }

  private admitWaiting(now: number): void {
    if (this.waiting() > 0 && !this.isLate(now)) this.inTimeAt = now;
    const overloaded = this.isOverloaded(now);
    if (overloaded) this.rejectLate(now);
    while (this.inFlight < this.limit && this.waiting() > 0) {
      this.inFlight += 1;
      (overloaded ? this.takeNewest() : this.takeOldest()).decide(true);
    }
    if (this.waiting() > 0) return;
    this.queue = [];
    this.head = 0;
    clearInterval(this.sweeping);
    this.sweeping = undefined;
  }

  /** Shortly after a rejection it is still overload: only because of the rejections are the others in time. */
  private isOverloaded(now: number): boolean {
    const intervalMs = OVERLOAD_FACTOR * this.targetMs();
    return now - this.rejectedAt <= intervalMs || (this.waiting() > 0 && now - this.inTimeAt > intervalMs);
  }

  private isLate(now: number): boolean {
    return this.headWaitedMs(now) > this.targetMs();
  }

  private headWaitedMs(now: number): number {
    return now - (this.queue[this.head] as Waiting).since;
  }

  private targetMs(): number {
    return Math.min(MAX_TARGET_MS, Math.max(MIN_TARGET_MS, TARGET_FACTOR * this.serviceMs));
  }

  private rejectLate(now: number): void {
    const target = Math.min(MAX_OVERLOAD_TARGET_MS, this.targetMs());
    while (this.waiting() > 0 && this.headWaitedMs(now) > target) {
      this.takeOldest().decide(false);
      this.rejected += 1;
      this.rejectedAt = now;
    }
  }

  private waiting(): number {
    return this.queue.length - this.head;
  }

  private takeNewest(): Waiting {
    return this.queue.pop() as Waiting;
  }

  private takeOldest(): Waiting {
    const oldest = this.queue[this.head] as Waiting;
    this.head += 1;
    // Decided entries are removed in large blocks: removing them one by one would move the whole array each time.
    if (this.head >= COMPACT_AFTER) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    return oldest;
  }
}
