// The metrics of this gateway as one text, made when somebody asks for it.
import { askedOnce, type Metrics } from '../../kernel/metrics.ts';
import { exposed, processMetrics } from './prometheus.ts';

export interface MetricsService {
  /** Those who ask at once share one reading. */
  text(): Promise<string>;
}

export function createMetricsService({ metrics, version }: { metrics: Metrics; version: string }): MetricsService {
  const node = process.versions.node;
  const samples = () => [{ labels: { version, node }, value: 1 }];
  metrics.add({ name: 'kissi_build_info', help: 'What runs here.', type: 'gauge', samples });
  const unread = metrics.counter({
    name: 'kissi_metrics_unread_total',
    help: 'Figures that could not be read in time, most of all because the database did not answer.',
  });
  // From now on the event loop is watched, and not from the first time somebody asks.
  processMetrics();
  return { text: askedOnce(() => exposed(metrics.families(), unread)) };
}
