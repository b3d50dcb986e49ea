// The ledger's batches during a load, and what a batch costs before its first payment.
import type { Sample, Workload } from './interleave.ts';
import { sumSeries } from './load/monitor.ts';
import type { Bench } from './setup.ts';

/** Measures the payments per batch in each run, from the gateway's metrics. */
export function withBatches(run: Workload, { address }: Pick<Bench, 'address'>): Workload {
  return async (seconds) => {
    const before = await readBatches(address);
    const sample = await run(seconds);
    const after = await readBatches(address);
    return { ...sample, batch: (after.payments - before.payments) / (after.batches - before.batches) };
  };
}

async function readBatches(address: string): Promise<{ payments: number; batches: number }> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const sum = (name: string) => sumSeries(metrics, `kissi_ledger_batch_size_${name}`);
  return { payments: sum('sum'), batches: sum('count') };
}

/** In microseconds of CPU time. */
export interface BatchCost {
  /** Per batch, whatever its size. */
  fixed: number;
  perPayment: number;
}

/** The line of a batch's cost over its size. `read`: the CPU time per payment. */
export function fitBatchCost(samples: readonly Sample[], read: (sample: Sample) => number): BatchCost {
  const line = fitLine(samples.map((sample) => pointAt(sample.batch ?? Number.NaN, read(sample))));
  return { fixed: line.intercept, perPayment: line.slope };
}

const pointAt = (batch: number, perPayment: number) => ({ x: batch, y: batch * perPayment });

/**
 * The line with the least squares of relative errors. Noise grows with the cost: absolute errors of the largest batches
 * would exceed the intercept.
 */
export function fitLine(points: readonly { x: number; y: number }[]): { intercept: number; slope: number } {
  const sum = (read: (point: { x: number; y: number }) => number) =>
    points.reduce((total, point) => total + read(point) / point.y ** 2, 0);
  const weight = sum(() => 1);
  const meanX = sum(({ x }) => x) / weight;
  const meanY = sum(({ y }) => y) / weight;
  const slope = sum(({ x, y }) => (x - meanX) * (y - meanY)) / sum(({ x }) => (x - meanX) ** 2);
  return { intercept: meanY - slope * meanX, slope };
}
