// P2P transfers from one connection to many, and at a low fixed rate: their cost depends on the size of the batches.
import { type BatchCost, fitBatchCost, withBatches } from './batches.ts';
import type { ClosedLoopResult } from './closed-loop.ts';
import { LOW_RATE, lowLoad } from './fixed-rate.ts';
import {
  type MedianSample,
  measureInterleaved,
  type RoundOptions,
  type Sample,
  type Workload,
  withCpu,
} from './interleave.ts';
import type { Population } from './population.ts';
import { table } from './runner.ts';
import type { Bench } from './setup.ts';
import { uniformTransfers } from './transfers.ts';

const COUNTS = [1, 8, 32, 128, 512];
const LOW_LOAD = `${LOW_RATE} payments/s`;

export interface ConnectionResults {
  loads: { name: string; sample: MedianSample }[];
  lowLoad: MedianSample;
  batchCost: { gateway: BatchCost; postgres: BatchCost };
}

export async function measureConnections(
  bench: Bench,
  population: Population,
  rounds: RoundOptions,
): Promise<ConnectionResults> {
  const payments = uniformTransfers(population);
  const workloads: Record<string, Workload> = {};
  // The metrics are read outside the measured time: a scrape costs as much as several payments.
  const add = (key: string, run: Workload) => {
    workloads[key] = withBatches(withCpu(run, bench.cpuTime), bench);
  };
  for (const connections of COUNTS) {
    add(name(connections), async (seconds) =>
      accepted(await bench.runClosedLoop({ ...payments, connections, seconds })),
    );
  }
  add(LOW_LOAD, lowLoad(bench, payments));
  const measured = await measureInterleaved(workloads, rounds);
  const closed = COUNTS.map((count) => measured.median(name(count))).filter(({ errors }) => errors === 0);
  return {
    loads: Object.keys(workloads).map((key) => ({ name: key, sample: measured.median(key) })),
    lowLoad: measured.median(LOW_LOAD),
    batchCost: {
      gateway: fitBatchCost(closed, ({ cpu }) => cpu?.gateway ?? Number.NaN),
      postgres: fitBatchCost(closed, ({ cpu }) => cpu?.postgres ?? Number.NaN),
    },
  };
}

/** On a slow machine, the service rejects some requests of many connections: they are no payments. */
function accepted({ requests, perSecond, errors, ...sample }: ClosedLoopResult): Sample {
  const count = requests - errors;
  return { ...sample, requests: count, perSecond: Math.round((perSecond * count) / requests), errors };
}

const name = (count: number) => (count === 1 ? '1 connection' : `${count} connections`);

/** The page's section. */
export function reportConnections({ loads, batchCost }: ConnectionResults): string {
  const loadRows = loads.map(({ name, sample: { perSecond, p50, batch = Number.NaN, cpu, errors = 0 } }) => [
    ...[name, perSecond, p50.toFixed(2), batch.toFixed(1)],
    ...[cpu.gateway, cpu.postgres, cpu.gateway + cpu.postgres].map(Math.round),
    errors,
  ]);
  const costRow = (part: string, { fixed, perPayment }: BatchCost) => [part, Math.round(fixed), Math.round(perPayment)];
  return `## Connections

P2P transfers in a closed loop, and at a fixed rate far below capacity. CPU time is in microseconds per payment.

${table(['load', 'payments/s', 'p50 ms', 'payments per batch', 'gateway', 'PostgreSQL', 'total', 'rejected'], loadRows)}

What a batch costs whatever its size, and what each of its payments adds: the line of least squares (of relative errors)
through the cost of a batch at the numbers of connections at which nothing was rejected.

${table(
  ['CPU time', 'µs per batch', 'µs per payment'],
  [costRow('gateway', batchCost.gateway), costRow('PostgreSQL', batchCost.postgres)],
)}`;
}
