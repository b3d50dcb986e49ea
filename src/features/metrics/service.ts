// The metrics as text, generated at each scrape: of this gateway, or of all gateway processes of this machine together.
import { type Metrics, singleFlight } from '../../kernel/metrics.ts';
import { combined, combinedFamilies } from './combined.ts';
import { isCount } from './counts.ts';
import {
  processMetrics,
  prometheusText,
  type ReadFamily,
  readFamilies,
  readSnapshot,
  type Snapshot,
} from './prometheus.ts';

export { Counts } from './counts.ts';
export type { ReadFamily, Snapshot } from './prometheus.ts';

export interface MetricsService {
  /** Concurrent calls share one result. */
  text(): Promise<string>;
  /** The metrics of this process alone. */
  snapshot(): Promise<Snapshot>;
  /** Its counters and histograms, which can also be read when the database is closed. */
  counts(): Promise<ReadFamily[]>;
}

/** The metrics of all gateways of a machine, and the supervisor's. */
export interface Collected {
  /** From every gateway that answered, by its name. Counters and histograms in it are not used. */
  gateways: Map<string, Snapshot>;
  /** Counters and histograms, including those of gateways that have ended. */
  counts: ReadFamily[][];
  supervisor: Snapshot['families'];
}

export interface MetricsDeps {
  metrics: Metrics;
  version: string;
  /** A metric that takes longer to read has no value. */
  timeoutMs?: number | undefined;
  /** Undefined: this is the only gateway process. */
  collect?: (() => Promise<Collected>) | undefined;
}

export function createMetricsService({ metrics, version, timeoutMs, collect }: MetricsDeps): MetricsService {
  const node = process.versions.node;
  const samples = () => [{ labels: { version, node }, value: 1 }];
  metrics.add({ name: 'kissi_build_info', help: 'Version of the service and of Node.js.', type: 'gauge', samples });
  const unread = metrics.counter({
    name: 'kissi_metrics_unread_total',
    help: 'Metrics that could not be read in time, usually because the database did not respond.',
  });
  // Starts measuring the event loop now, not at the first scrape.
  processMetrics();
  const snapshot = () => readSnapshot(metrics.families(), unread, timeoutMs);
  const counts = () => readFamilies(metrics.families().filter(isCount), unread, timeoutMs);

  async function ofAll(): Promise<Snapshot> {
    const collected = await collect?.();
    if (!collected) return snapshot();
    const { families, process } = combined(collected.gateways);
    const gauges = families.filter((family) => !isCount(family));
    return { families: [...gauges, ...combinedFamilies(collected.counts), ...collected.supervisor], process };
  }

  return { snapshot, counts, text: singleFlight(async () => prometheusText(await ofAll())) };
}
