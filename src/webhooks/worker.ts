// Delivers the outbox: claims due deliveries while slots are free, attempts them and records the results.
import { batchLoader } from '../db/batch-loader.ts';
import {
  createLeasedQueue,
  delay,
  LEASE_MS,
  type Lease,
  type LeasedQueue,
  RETRY_DELAY_MS,
} from '../db/leased-queue.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Attempt, MakeAttempt } from './attempt.ts';
import { allocateSlots, type Limits, rotatedAfter } from './fair-concurrency.ts';
import { countAttempt, type WebhookMetrics } from './metrics.ts';
import type { Claim, Claimed, Outbox, Result } from './outbox.ts';
import { afterAttempt } from './retry-schedule.ts';
import { ATTEMPT_TIMEOUT_MS, Interrupted } from './transport.ts';

export interface WorkerDependencies {
  outbox: Outbox;
  attempt: MakeAttempt;
  clock: Clock;
  metrics: WebhookMetrics;
  limits?: Limits;
  /** Logs an event that operators should see. */
  report(message: string, details: Record<string, unknown>): void;
}

const LIMITS: Limits = { total: 512, perOwner: 32 };

// An attempt that begins later than this after the claim might outlast the lease. Only a paused process is that late.
const BEGIN_WITHIN_MS = LEASE_MS - 2 * ATTEMPT_TIMEOUT_MS;
// Limits the rate of claims under a stream of credits.
const MIN_POLL_INTERVAL_MS = 5;

export function createWorker({
  outbox,
  attempt,
  clock,
  metrics,
  limits = LIMITS,
  report,
}: WorkerDependencies): LeasedQueue {
  // Batches writes: results that arrive during a write share the next one.
  const record = batchLoader<Result, boolean>({ fetch: (results) => outbox.record(results) });
  let lastServed = '';

  const queue = createLeasedQueue<Claimed>({
    clock,
    minIntervalMs: MIN_POLL_INTERVAL_MS,
    claim,
    async process(claimed, { startedAt }) {
      if (queue.isStopped()) throw new Interrupted();
      const result = await attempt(claimed, startedAt + BEGIN_WITHIN_MS);
      await recordResult(resultOf(claimed, result), startedAt + LEASE_MS);
    },
    release: outbox.release,
    isInterrupted: (error) => error instanceof Interrupted,
    onError({ id }, error) {
      report('a webhook was not attempted, or its attempt was not recorded', { delivery: id, error });
    },
  });

  async function claim(lease: Lease, inProgress: ReadonlySet<Claimed>): Promise<Claim> {
    const due = await outbox.dueOwners(lease.now);
    const slots = allocateSlots(rotatedAfter(lastServed, due), slotsInUse(inProgress), limits);
    if (slots.size === 0) return { claimed: [], deferred: 0 };
    lastServed = [...slots.keys()].at(-1) ?? '';
    return outbox.claim(slots, lease);
  }

  async function recordResult(result: Result, leaseEnd: number): Promise<void> {
    const recorded = await retryUntil(() => record(result), leaseEnd);
    if (!recorded) {
      report('an attempt outlasted its lease', { delivery: result.id, number: result.number });
      return;
    }
    countAttempt(metrics, result);
    if (result.status === 'abandoned') report('a webhook was abandoned', { delivery: result.id });
  }

  /** Retries until the lease ends, so that a short database outage does not lose a receiver's response. */
  async function retryUntil<T>(write: () => Promise<T>, until: number): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (queue.isStopped() || performance.now() > until) throw error;
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  return queue;
}

function slotsInUse(inProgress: ReadonlySet<Claimed>): Map<string, number> {
  const used = new Map<string, number>();
  for (const { ownerId } of inProgress) used.set(ownerId, (used.get(ownerId) ?? 0) + 1);
  return used;
}

function resultOf({ id, lease, attempts, step }: Claimed, attempt: Attempt): Result {
  const { at, durationMs, status, error, request, reply } = attempt;
  const next = afterAttempt({ step, at, acknowledged: error === null });
  return {
    id,
    lease,
    number: attempts + 1,
    at: new Date(at),
    durationMs,
    httpStatus: status,
    error,
    request,
    reply,
    status: next.status,
    step: next.step,
    nextAt: next.nextAt === null ? null : new Date(next.nextAt),
    finishedAt: next.nextAt === null ? new Date(at) : null,
  };
}
