// Metrics of admission control: requests in flight, waiting and rejected in each lane.
import type { Metrics } from '../../kernel/metrics.ts';
import type { AdmissionLanes } from '../route-handler.ts';
import type { AdmissionControl } from './admission-control.ts';

export function watchAdmissionLanes(metrics: Metrics, lanes: AdmissionLanes): void {
  const add = (
    name: string,
    type: 'gauge' | 'counter',
    help: string,
    read: (state: ReturnType<AdmissionControl['state']>) => number,
  ) =>
    metrics.add({
      ...{ name, type, help },
      samples: () =>
        Object.entries(lanes).map(([lane, control]) => ({ labels: { lane }, value: read(control.state()) })),
    });
  add('kissi_http_in_flight', 'gauge', 'Requests being served, by admission lane.', ({ inside }) => inside);
  add('kissi_http_in_flight_limit', 'gauge', 'Maximum of concurrent requests, by lane.', ({ limit }) => limit);
  add('kissi_http_waiting', 'gauge', 'Requests waiting for admission, by lane.', ({ waiting }) => waiting);
  add(
    'kissi_http_shed_total',
    'counter',
    'Requests rejected with 503 before they were served, by lane.',
    ({ turnedAway }) => turnedAway,
  );
}
