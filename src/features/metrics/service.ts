// The metrics of this gateway as text, generated at each scrape.
import { type Metrics, singleFlight } from '../../kernel/metrics.ts';
import { processMetrics, prometheusText } from './prometheus.ts';

export interface MetricsService {
  /** Concurrent calls share one result. */
  text(): Promise<string>;
}

export interface MetricsDeps {
  metrics: Metrics;
  version: string;
  /** A metric that takes longer to read has no value. */
  timeoutMs?: number | undefined;
}

export function createMetricsService({ metrics, version, timeoutMs }: MetricsDeps): MetricsService {
  const node = process.versions.node;
  const samples = () => [{ labels: { version, node }, value: 1 }];
  metrics.add({ name: 'kissi_build_info', help: 'Version of the service and of Node.js.', type: 'gauge', samples });
  const unread = metrics.counter({
    name: 'kissi_metrics_unread_total',
    help: 'Metrics that could not be read in time, usually because the database did not respond.',
  });
  // Starts measuring the event loop now, not at the first scrape.
  processMetrics();
  return { text: singleFlight(() => prometheusText(metrics.families(), unread, timeoutMs)) };
}
