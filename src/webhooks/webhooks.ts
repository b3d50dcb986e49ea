// Outbound webhooks, the public part: delivery starts after a commit or by schedule, and stops with the service.
import type { Database } from '../db/database.ts';
import type { LeasedQueue } from '../db/leased-queue.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { Metrics } from '../kernel/metrics.ts';
import type { Tracing } from '../kernel/tracing.ts';
import { type AttemptDependencies, createAttempt, type MakeAttempt, tracedAttempt } from './attempt.ts';
import type { Limits } from './fair-concurrency.ts';
import { type WebhookMetrics, webhookMetrics } from './metrics.ts';
import { type Backlog, createOutbox } from './outbox.ts';
import { type Resolve, resolveByDns, resolveBySystem } from './resolve.ts';
import { createTransport } from './transport.ts';
import { createWorker, type WorkerDependencies } from './worker.ts';

export interface WebhooksDependencies {
  database: Database;
  clock: Clock;
  targetOf: AttemptDependencies['targetOf'];
  allowPrivate: boolean;
  /** Events for other URLs are not sent. Default: http is allowed. */
  requireHttps?: boolean;
  report: WorkerDependencies['report'];
  /** Optional; discarded by default. */
  metrics?: WebhookMetrics;
  /** Resolves host names. Default: DNS, or the system resolver if private addresses are allowed. */
  resolve?: Resolve;
  limits?: Limits;
  /** Optional; changes how deliveries are attempted. */
  wrapAttempt?: ((attempt: MakeAttempt) => MakeAttempt) | undefined;
  /** Null or unset: deliveries are not traced. */
  tracing?: Tracing | null | undefined;
  timeoutMs?: number;
  /** How long a stop waits for attempts in flight. */
  graceMs?: number;
}

export interface Webhooks extends Pick<LeasedQueue, 'deliver' | 'wake' | 'settled'> {
  /** The backlog of all gateways. */
  backlog(): Promise<Backlog>;
  /** Deletes finished deliveries older than 90 days. */
  prune(): Promise<void>;
  /** Waits a few seconds for attempts in flight, then releases the rest for other gateways. */
  stop(): Promise<void>;
}

const KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 500;
const GRACE_MS = 5 * SECOND_MS;

export function createWebhooks(dependencies: WebhooksDependencies): Webhooks {
  const { database, clock, targetOf, allowPrivate, report, limits, timeoutMs, graceMs = GRACE_MS } = dependencies;
  const resolve = dependencies.resolve ?? (allowPrivate ? resolveBySystem : resolveByDns());
  const transport = createTransport({ allowPrivate, resolve, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const outbox = createOutbox(database.pool);
  const { requireHttps = false } = dependencies;
  const plainAttempt = createAttempt({ targetOf, transport, requireHttps, clock, report });
  const untraced = dependencies.wrapAttempt?.(plainAttempt) ?? plainAttempt;
  const attempt = dependencies.tracing ? tracedAttempt(untraced, dependencies.tracing) : untraced;
  const metrics = dependencies.metrics ?? webhookMetrics(new Metrics());
  const worker = createWorker({ outbox, attempt, clock, metrics, report, ...(limits ? { limits } : {}) });
  return {
    deliver: worker.deliver,
    wake: worker.wake,
    settled: worker.settled,
    backlog: () => outbox.backlog(),
    async prune() {
      const below = firstIdAt('evt', clock.now() - KEPT_MS);
      while ((await outbox.prune(below, PRUNE_BATCH)) >= PRUNE_BATCH);
    },
    async stop() {
      await worker.stop({ graceMs, interrupt: () => transport.close() });
      transport.close();
    },
  };
}
