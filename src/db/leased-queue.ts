// A leased queue over a table: a worker claims due items under a lease (the visibility timeout of message queues), so that
// other gateways skip them until the item is finished, released, or the lease expires.
import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { inTrace } from '../kernel/tracing.ts';

export interface Lease {
  /** A token that only the worker that holds the lease knows. */
  lease: string;
  now: Date;
  until: Date;
}

/** One poll of the table: all items it claims share a lease. */
export interface Poll extends Lease {
  /** In performance.now(): wall clocks may be adjusted and differ between gateways. */
  startedAt: number;
}

export interface LeasedQueueOptions<Item> {
  clock: Clock;
  /** The shortest time between the starts of two polls. Items that become due in between are claimed together. */
  minIntervalMs?: number;
  /** Claims as many due items as there are free slots. `deferred` items were due and postponed; more may follow them. */
  claim(poll: Poll, inProgress: ReadonlySet<Item>): Promise<{ claimed: Item[]; deferred: number }>;
  /** Must end well before the lease expires. A rejection releases the item. */
  process(item: Item, poll: Poll): Promise<void>;
  release(item: Item, poll: Poll): Promise<void>;
  /** Whether `process` rejected because the queue was stopped. Any other rejection is reported and delays the release. */
  isInterrupted(error: unknown): boolean;
  onError(item: Item, error: unknown): void;
}

export interface LeasedQueue {
  /** Starts due items while there are free slots. Resolves when no more can be started. Rejects when a claim fails. */
  deliver(): Promise<void>;
  /** The same without waiting, for callers that have just committed an item. A later poll makes up for a failed one. */
  wake(): void;
  /** Resolves when no item is in progress. */
  settled(): Promise<void>;
  isStopped(): boolean;
  /** Starts nothing more. Waits `graceMs` for items in progress, then interrupts and releases the rest. */
  stop(options: { graceMs: number; interrupt: () => void }): Promise<void>;
}

/**
 * Processing an item and recording the result take far less time. The margin allows for clocks that differ between
 * gateways. If a gateway is killed, another gateway claims its items after this time.
 */
export const LEASE_MS = 60 * SECOND_MS;
/** Delay before the database is tried again. */
export const RETRY_DELAY_MS = SECOND_MS / 2;

export function createLeasedQueue<Item>(options: LeasedQueueOptions<Item>): LeasedQueue {
  const { clock, minIntervalMs = 0 } = options;
  const inProgress = new Set<Item>();
  let stopped = false;
  let pollAgain = false;
  let polling: Promise<void> | null = null;
  let settledListeners: (() => void)[] = [];

  async function deliver(): Promise<void> {
    pollAgain = true;
    polling ??= pollWhileDue().finally(() => {
      polling = null;
      // Requested while the last poll was ending.
      if (pollAgain) wake();
      notifySettled();
    });
    return polling;
  }

  /** Never two polls at once: items that finish during a poll free slots for the next. */
  async function pollWhileDue(): Promise<void> {
    for (let startedAt = Number.NEGATIVE_INFINITY; pollAgain && !stopped; ) {
      await delay(startedAt + minIntervalMs - performance.now());
      pollAgain = false;
      startedAt = performance.now();
      const now = clock.now();
      const poll = { lease: randomUUID(), now: new Date(now), until: new Date(now + LEASE_MS), startedAt };
      const { claimed, deferred } = await options.claim(poll, inProgress);
      if (claimed.length + deferred > 0) pollAgain = true;
      for (const item of claimed) void work(item, poll);
    }
  }

  async function work(item: Item, poll: Poll): Promise<void> {
    inProgress.add(item);
    try {
      await options.process(item, poll);
    } catch (error) {
      if (!options.isInterrupted(error)) await afterError(item, error);
      // When the release fails too, the lease expires.
      await options.release(item, poll).catch(() => undefined);
    }
    inProgress.delete(item);
    wake();
    notifySettled();
  }

  /** The database is most likely unavailable. The item keeps its slot for a moment, so that retries do not spin. */
  async function afterError(item: Item, error: unknown): Promise<void> {
    options.onError(item, error);
    if (!stopped) await delay(RETRY_DELAY_MS);
  }

  function wake(): void {
    if (!stopped) inTrace(null, deliver).catch(() => undefined);
  }

  function isSettled(): boolean {
    return inProgress.size === 0 && polling === null;
  }

  function notifySettled(): void {
    if (!isSettled()) return;
    for (const notify of settledListeners) notify();
    settledListeners = [];
  }

  function settled(): Promise<void> {
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => settledListeners.push(resolve));
  }

  return {
    deliver,
    wake,
    settled,
    isStopped: () => stopped,
    async stop({ graceMs, interrupt }) {
      stopped = true;
      const timer = setTimeout(interrupt, graceMs);
      await settled();
      clearTimeout(timer);
    },
  };
}

export async function delay(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
