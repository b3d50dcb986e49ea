// Figures in the text that Prometheus reads, by way of prom-client; its own metrics of the process beside ours.
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Counter, Family, Sample } from '../../kernel/metrics.ts';

/** A figure that asks the database is not waited for longer: a scrape matters most while the database is in trouble. */
const PATIENCE_MS = 1_000;

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** `unread` counts the families that could not be read in time; they are then without values. */
export async function exposed(families: Family[], unread: Counter): Promise<string> {
  const registry = new Registry();
  for (const family of families) {
    const { name, help, type } = family;
    const get = async () => ({
      name,
      help,
      type,
      values: (await readInTime(family, unread)).map((sample) => written(name, sample)),
    });
    // All that prom-client asks of what it writes out; its own counters would cost where we count, not where we read.
    registry.registerMetric({ name, get } as unknown as Metric);
  }
  const [ours, ofProcess] = await Promise.all([registry.metrics(), processMetrics().metrics()]);
  return `${ours}\n${ofProcess}`;
}

function written(name: string, { value, labels = {}, suffix }: Sample) {
  return { value, labels, ...(suffix ? { metricName: name + suffix } : {}) };
}

async function readInTime(family: Family, unread: Counter): Promise<Sample[]> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, PATIENCE_MS, null);
  const read = Promise.resolve()
    .then(() => family.samples())
    .catch(() => null);
  const samples = await Promise.race([read, late]);
  clearTimeout(timer);
  if (samples === null) unread.value += 1;
  return samples ?? [];
}

let ofProcess: Registry | null = null;

/** One for the process, however many gateways are made in it: its memory, processor and event loop are theirs together. */
export function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}
