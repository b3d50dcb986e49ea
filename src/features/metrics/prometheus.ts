// Writes the metrics in Prometheus' text format with prom-client, and adds its metrics of the process.
import {
  collectDefaultMetrics,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { Counter, Family, Sample } from '../../kernel/metrics.ts';

/** Limit for metrics that query the database: scrapes matter most while the database is slow. */
const READ_TIMEOUT_MS = 1_000;

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** The values of a metric at a scrape. */
export interface ReadFamily extends Omit<Family, 'samples'> {
  samples: Sample[];
}

/** All metrics of one process. */
export interface Snapshot {
  families: ReadFamily[];
  /** Memory, CPU, event loop, from prom-client. */
  process: MetricObjectWithValues<MetricValue<string>>[];
}

export async function readSnapshot(families: Family[], unread: Counter, timeoutMs?: number): Promise<Snapshot> {
  const reading = [readFamilies(families, unread, timeoutMs), processMetrics().getMetricsAsJSON()] as const;
  const [read, process] = await Promise.all(reading);
  return { families: read, process };
}

/** `unread` counts the metrics that could not be read in time. They have no samples. */
export async function readFamilies(
  families: Family[],
  unread: Counter,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<ReadFamily[]> {
  const reading = families.map(async (family) => {
    const { name, help, type, combine } = family;
    const samples = await readInTime(family, unread, timeoutMs);
    return { name, help, type, ...(combine ? { combine } : {}), samples };
  });
  return Promise.all(reading);
}

export async function prometheusText({ families, process }: Snapshot): Promise<string> {
  const registry = new Registry();
  // prom-client needs no more to write a metric. Its own counters would be slower to increment.
  const add = (metric: { name: string; help: string; type: unknown; values: unknown }) =>
    registry.registerMetric({ name: metric.name, get: async () => metric } as unknown as Metric);
  for (const { name, help, type, samples } of families) {
    add({ name, help, type, values: samples.map((sample) => prometheusSample(name, sample)) });
  }
  for (const metric of process) add(metric);
  return registry.metrics();
}

function prometheusSample(name: string, { value, labels = {}, suffix }: Sample) {
  return { value, labels, ...(suffix ? { metricName: name + suffix } : {}) };
}

async function readInTime(family: Family, unread: Counter, timeoutMs: number): Promise<Sample[]> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, timeoutMs, null);
  const read = Promise.resolve()
    .then(() => family.samples())
    .catch(() => null);
  const samples = await Promise.race([read, late]);
  clearTimeout(timer);
  if (samples === null) unread.value += 1;
  return samples ?? [];
}

let ofProcess: Registry | null = null;

/** One per process: several gateways in one process share its memory, CPU and event loop. */
export function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}
