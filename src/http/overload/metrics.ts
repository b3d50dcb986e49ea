// Metrics of admission control: requests in flight, waiting and rejected in each lane.
import type { Metrics } from '../../kernel/metrics.ts';
import type { AdmissionLanes } from '../route-steps.ts';
import type { AdmissionState } from './admission-control.ts';

export function registerAdmissionMetrics(metrics: Metrics, lanes: AdmissionLanes): void {
  const add = (name: string, type: 'gauge' | 'counter', help: string, read: (state: AdmissionState) => number) =>
    metrics.add({
      ...{ name, type, help, combine: 'sum' as const },
      samples: () => Object.entries(lanes).map(([lane, it]) => ({ labels: { lane }, value: read(it.state()) })),
    });
  add('kissi_http_in_flight', 'gauge', 'Requests being served, by lane.', ({ inFlight }) => inFlight);
  add(
    'kissi_http_in_flight_limit',
    'gauge',
    'Maximum number of requests served concurrently, by lane.',
    ({ limit }) => limit,
  );
  add('kissi_http_waiting', 'gauge', 'Requests waiting for admission, by lane.', ({ waiting }) => waiting);
  add(
    'kissi_http_shed_total',
    'counter',
    'Requests rejected with 503 before any work was done, by lane.',
    ({ rejected }) => rejected,
  );
}
