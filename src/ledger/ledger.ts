// The ledger as the rest of the code knows it: post a movement, and be told what became of it once that is durable.
import type { Pool } from 'pg';
import { endOfTurn } from '../db/batch.ts';
import type { Clock } from '../kernel/clock.ts';
import { Overloaded } from '../kernel/overloaded.ts';
import { Batch } from './batch.ts';
import { assertBalanced } from './decide.ts';
import type { Order, Result } from './orders.ts';

export { isDefect } from './batch.ts';
export type { Order, Result, SideRow } from './orders.ts';

export interface Ledger {
  /**
   * Resolves when the outcome is durable. Rejects with Overloaded when nothing was begun, with anything else when the
   * outcome is not known: ask again under the same request id.
   */
  post(order: Order): Promise<Result>;
}

export interface LedgerOptions {
  pool: Pool;
  clock: Clock;
  maxBatch?: number;
  onBatch?(size: number): void;
}

interface Waiting {
  order: Order;
  /** By the clock that never jumps. */
  since: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

const MAX_BATCH = 256;
// Whoever has waited so long has given up, or soon will: carried out now, it would be a payment nobody expects any more.
const PATIENCE_MS = 4_000;
// More than are carried out in that time.
const MAX_WAITING = 20_000;

export function createLedger({ pool, clock, maxBatch = MAX_BATCH, onBatch }: LedgerOptions): Ledger {
  let queue: Waiting[] = [];
  let busy = false;
  let last: Promise<void> | undefined;

  async function drain(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      await endOfTurn();
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      const inTime = withoutLate(batch);
      if (inTime.length === 0) continue;
      onBatch?.(inTime.length);
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = last;
      last = settle(inTime, resolve);
      await Promise.all([before, Promise.race([promise, last])]);
    }
    busy = false;
  }

  /** Nothing of those who are sent away was begun. */
  function withoutLate(batch: Waiting[]): Waiting[] {
    const latest = performance.now() - PATIENCE_MS;
    for (const { since, reject } of batch) if (since < latest) reject(new Overloaded());
    return batch.filter(({ since }) => since >= latest);
  }

  async function settle(batch: Waiting[], onSent: () => void): Promise<void> {
    const orders = batch.map(({ order }) => order);
    const attempt = new Batch(orders, pool, clock, onSent);
    try {
      const results = await attempt.run();
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      await fail(batch, error, attempt.failedByOneOrder(error));
    }
  }

  async function fail(batch: Waiting[], error: unknown, byOne: boolean): Promise<void> {
    if (byOne && batch.length > 1) {
      // One of them cannot be written, and nothing was: alone, it fails alone.
      for (const waiting of batch) await settle([waiting], () => undefined);
      return;
    }
    for (const waiting of batch) waiting.reject(error);
  }

  return {
    post(order) {
      assertBalanced(order.movement);
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      if (queue.length >= MAX_WAITING) reject(new Overloaded());
      else queue.push({ order, since: performance.now(), resolve, reject });
      if (!busy) void drain();
      return promise;
    },
  };
}
