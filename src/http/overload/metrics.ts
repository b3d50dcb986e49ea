// How full the house is: requests inside, waiting and sent away at each door.
import type { Metrics } from '../../kernel/metrics.ts';
import type { AdmissionLanes } from '../route-handler.ts';
import type { AdmissionControl } from './admission-control.ts';

export function watchDoors(metrics: Metrics, doors: AdmissionLanes): void {
  const add = (
    name: string,
    type: 'gauge' | 'counter',
    help: string,
    read: (state: ReturnType<AdmissionControl['state']>) => number,
  ) =>
    metrics.add({
      ...{ name, type, help },
      samples: () => Object.entries(doors).map(([door, it]) => ({ labels: { door }, value: read(it.state()) })),
    });
  add('kissi_http_inside', 'gauge', 'Requests being served, by the door they came in.', ({ inside }) => inside);
  add('kissi_http_inside_limit', 'gauge', 'Requests that are served at once at most.', ({ limit }) => limit);
  add('kissi_http_waiting', 'gauge', 'Requests that wait to be let in.', ({ waiting }) => waiting);
  add('kissi_http_shed_total', 'counter', 'Requests sent away unbegun, with 503.', ({ turnedAway }) => turnedAway);
}
