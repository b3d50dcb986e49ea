// Writes the metrics in Prometheus' text format with prom-client, and adds its metrics of the process.
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Counter, Family, Sample } from '../../kernel/metrics.ts';

/** Limit for metrics that query the database: scrapes matter most while the database is slow. */
const READ_TIMEOUT_MS = 1_000;

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** `unread` counts the metrics that could not be read in time. They have no samples. */
export async function prometheusText(
  families: Family[],
  unread: Counter,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<string> {
  const registry = new Registry();
  for (const family of families) {
    const { name, help, type } = family;
    const get = async () => ({
      name,
      help,
      type,
      values: (await readInTime(family, unread, timeoutMs)).map((sample) => prometheusSample(name, sample)),
    });
    // prom-client needs no more to write a metric. Its own counters would be slower to increment.
    registry.registerMetric({ name, get } as unknown as Metric);
  }
  const [ours, processRegistry] = await Promise.all([registry.metrics(), processMetrics().metrics()]);
  return `${ours}\n${processRegistry}`;
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
