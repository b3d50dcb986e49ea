// The figures of this gateway as one text, made when somebody asks for it.
import { askedOnce, type Figures } from '../../kernel/metrics.ts';
import { exposed, processFigures } from './prometheus.ts';

export interface Metrics {
  /** Those who ask at once share one reading. */
  text(): Promise<string>;
}

export function createMetrics({ figures, version }: { figures: Figures; version: string }): Metrics {
  const node = process.versions.node;
  const samples = () => [{ labels: { version, node }, value: 1 }];
  figures.add({ name: 'kissi_build_info', help: 'What runs here.', type: 'gauge', samples });
  const unread = figures.counter({
    name: 'kissi_metrics_unread_total',
    help: 'Figures that could not be read in time, most of all because the database did not answer.',
  });
  // From now on the event loop is watched, and not from the first time somebody asks.
  processFigures();
  return { text: askedOnce(() => exposed(figures.families(), unread)) };
}
