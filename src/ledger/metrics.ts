// The ledger's metrics: size, duration and outcomes of batches, and rejected movements.
import type { Counter, Gauge, Histogram, Metrics } from '../kernel/metrics.ts';

export interface LedgerMetrics {
  size: Histogram;
  /** lock: wait for the account locks; decide: decide and compose replies; write: write and commit. */
  phases: Record<'lock' | 'decide' | 'write', Histogram>;
  movements: Record<'posted' | 'replayed' | 'refused' | 'conflict', Counter>;
  /** Orders that were completed by rows read under the locks: posted or refused with them, or left to the careful path. */
  drafts: Record<'completed' | 'returned', Counter>;
  retries: Counter;
  failed: Counter;
  /** Commits whose response was lost. */
  inDoubt: Counter;
  /** Commits in doubt that were given up before their outcome could be read. */
  unknown: Counter;
  shed: Record<'full' | 'late', Counter>;
  queue: Gauge;
}

// Up to the largest batch.
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function ledgerMetrics(metrics: Metrics): LedgerMetrics {
  return {
    size: metrics.histogram({ name: 'kissi_ledger_batch_size', help: 'Movements in a batch.', bounds: SIZES }),
    phases: metrics.histograms({
      name: 'kissi_ledger_phase_duration_seconds',
      help: 'Duration of the phases of a batch: lock (and read), decide, write (and commit).',
      label: 'phase',
      values: ['lock', 'decide', 'write'],
      bounds: SECONDS,
    }),
    movements: metrics.counters({
      name: 'kissi_ledger_movements_total',
      help: 'Decided movements, by outcome.',
      label: 'outcome',
      values: ['posted', 'replayed', 'refused', 'conflict'],
    }),
    drafts: metrics.counters({
      name: 'kissi_ledger_drafts_total',
      help: 'Payments on the fast path: completed there, or returned to be checked step by step.',
      label: 'outcome',
      values: ['completed', 'returned'],
    }),
    retries: metrics.counter({ name: 'kissi_ledger_retries_total', help: 'Batches that were retried.' }),
    failed: metrics.counter({
      name: 'kissi_ledger_failed_batches_total',
      help: 'Batches whose movements were answered with a failure.',
    }),
    inDoubt: metrics.counter({
      name: 'kissi_ledger_in_doubt_total',
      help: 'Commits whose response was lost and whose outcome had to be looked up.',
    }),
    unknown: metrics.counter({
      name: 'kissi_ledger_unknown_total',
      help: 'Batches given up while in doubt: the outcome was reported as unknown.',
    }),
    shed: metrics.counters({
      name: 'kissi_ledger_shed_total',
      help: 'Movements rejected before they were decided: the queue was full, or they had waited too long.',
      label: 'reason',
      values: ['full', 'late'],
    }),
    queue: metrics.gauge({
      name: 'kissi_ledger_queue_length',
      help: 'Movements waiting for the next batch.',
      combine: 'sum',
    }),
  };
}

/** Payments that this process decided for the first time. */
export function decidedMovements({ movements }: Pick<LedgerMetrics, 'movements'>): number {
  return movements.posted.value + movements.refused.value;
}
