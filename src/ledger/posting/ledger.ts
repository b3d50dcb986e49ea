// The ledger: posts movements in batches and resolves each one when its outcome is durable.
import { endOfTurn } from '../../db/batch-loader.ts';
import type { ConnectionPool } from '../../db/driver/pool.ts';
import { Overloaded } from '../../kernel/bounded-concurrency.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Metrics } from '../../kernel/metrics.ts';
import { currentTrace, inTrace, type Trace, type Tracing } from '../../kernel/tracing.ts';
import { type LedgerMetrics, ledgerMetrics } from '../metrics.ts';
import { SealChain } from '../seals/chain.ts';
import type { SealKeys } from '../seals/format.ts';
import { type Draft, isDraft, type Order, type Result, type Settled } from '../types.ts';
import { Batch } from './batch.ts';
import { Collecting } from './collecting.ts';
import { assertBalanced } from './decide.ts';
import { type LedgerEngine, PLAIN_ENGINE } from './engine.ts';
import { KeptConnection } from './kept-connection.ts';
import { RecentRequests } from './recent-requests.ts';

export type { Draft, Order, Recorded, Result } from '../types.ts';
export { isDefect } from './batch-errors.ts';

export interface Ledger {
  /**
   * Resolves when the outcome is durable. Rejects with Overloaded when nothing was started. Any other rejection means that
   * the outcome is unknown: retry with the same request id.
   */
  post(order: Order): Promise<Result>;
  /**
   * The same for an order that the rows of its reads complete. Null: they do not, and nothing was done. A draft is completed
   * again when its batch is repeated: the result belongs to the order that is returned with it.
   */
  postDraft<Completed extends Order>(draft: Draft<Completed>): Promise<Settled<Completed> | null>;
}

export interface LedgerOptions {
  pool: ConnectionPool;
  clock: Clock;
  /** Signs the seals of batches (seals/format.ts). */
  sealKeys: SealKeys;
  /** Default: the engine for one PostgreSQL. */
  engine?: LedgerEngine;
  maxBatch?: number;
  /** An order that has waited longer is rejected with Overloaded, and no attempt to write a batch begins later. */
  timeoutMs?: number | undefined;
  onBatch?(size: number): void;
  /** Optional; discarded by default. */
  metrics?: LedgerMetrics;
  /** Null or unset: batches are not traced. */
  tracing?: Tracing | null | undefined;
}

interface Waiting {
  order: Order | Draft;
  /** By the monotonic clock. */
  since: number;
  /** Of the request that waits. */
  trace: Trace | null;
  resolve(settled: Settled | null): void;
  reject(reason: unknown): void;
}

const MAX_BATCH = 256;
// After this time the client has given up, or soon will: it would no longer expect the payment.
const TIMEOUT_MS = 4_000;
// More than can be posted within the timeout.
const MAX_WAITING = 20_000;

export function createLedger(options: LedgerOptions): Ledger {
  const { pool, clock, maxBatch = MAX_BATCH, timeoutMs = TIMEOUT_MS, onBatch } = options;
  const { tracing = null, engine = PLAIN_ENGINE, metrics = ledgerMetrics(new Metrics()) } = options;
  const connection = new KeptConnection(pool);
  const seals = new SealChain(options.sealKeys, clock);
  const recent = new RecentRequests();
  let queue: Waiting[] = [];
  let inWork = 0;
  let busy = false;
  const collecting = new Collecting();
  metrics.queue.readFrom(() => queue.length);

  /**
   * Group commit: one batch is in flight, and orders that arrive in the meantime form the next. One commit, and its fsync,
   * serves all of them. (Two batches in flight were tried: smaller batches, more work for PostgreSQL, no more payments.)
   * Callers get their results after the next batch has been sent, so that PostgreSQL works at the same time.
   */
  async function drain(): Promise<void> {
    busy = true;
    await endOfTurn();
    let answer = nothing;
    while (queue.length > 0) {
      const more = collecting.more(queue.length, queue[0]?.since ?? 0);
      if (more) {
        // The clients answered here may send the payments that are worth waiting for.
        answer();
        answer = nothing;
        await more;
      }
      const settling = settle(nextBatch());
      answer();
      // What was answered can be collected while the next batch is in work.
      answer = nothing;
      answer = await settling;
      inWork = 0;
    }
    connection.release();
    busy = false;
    answer();
  }

  function nextBatch(): Waiting[] {
    const batch = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    inWork = batch.length;
    return withoutLate(batch);
  }

  /** Rejects orders that have waited too long. Nothing was done for them. */
  function withoutLate(batch: Waiting[]): Waiting[] {
    const latest = performance.now() - timeoutMs;
    for (const { since, reject } of batch) if (since < latest) reject(new Overloaded());
    const inTime = batch.filter(({ since }) => since >= latest);
    metrics.shed.late.value += batch.length - inTime.length;
    return inTime;
  }

  /** Returns a function that delivers the results to the callers. */
  async function settle(batch: Waiting[]): Promise<() => void> {
    const [first] = batch;
    if (!first) return nothing;
    onBatch?.(batch.length);
    metrics.size.observe(batch.length);
    const orders = batch.map(({ order }) => order);
    const giveUpAt = first.since + timeoutMs;
    const traces = tracing ? batch.map(({ trace }) => trace) : [];
    const trace = tracing ? tracing.batch(traces) : null;
    const traced = trace && { batch: trace, orders: traces };
    const attempt = new Batch(orders, { giveUpAt, connection, engine, seals, recent, clock, metrics, traced });
    try {
      const settled = await attempt.run();
      trace?.end(false);
      return () => {
        for (const [index, waiting] of batch.entries()) deliver(waiting, settled[index] ?? null);
      };
    } catch (error) {
      trace?.end(true);
      if (attempt.isInDoubt) {
        metrics.unknown.value += 1;
        seals.abandon();
      }
      await fail(batch, error, attempt.failedByOneOrder(error));
      return nothing;
    }
  }

  function deliver({ order, resolve }: Waiting, settled: Settled | null): void {
    if (isDraft(order)) metrics.drafts[settled ? 'completed' : 'returned'].value += 1;
    resolve(settled);
  }

  async function fail(batch: Waiting[], error: unknown, byOne: boolean): Promise<void> {
    if (byOne && batch.length > 1) {
      // One order of the batch cannot be written, and nothing was committed. Posted one by one, only that order fails.
      for (const waiting of batch) (await settle([waiting]))();
      return;
    }
    metrics.failed.value += 1;
    for (const waiting of batch) waiting.reject(error);
  }

  function enqueue(order: Order | Draft): Promise<Settled | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Settled | null>();
    if (queue.length < MAX_WAITING) {
      queue.push({ order, since: performance.now(), trace: currentTrace(), resolve, reject });
      collecting.arrived(queue.length, queue.length + inWork);
    } else {
      metrics.shed.full.value += 1;
      reject(new Overloaded());
    }
    // For all that arrive until the queue is empty, and not only for this one.
    if (!busy) void inTrace(null, drain);
    return promise;
  }

  return {
    async post(order) {
      assertBalanced(order.movement);
      return ((await enqueue(order)) as Settled).result;
    },
    postDraft: enqueue as Ledger['postDraft'],
  };
}

function nothing(): void {}
