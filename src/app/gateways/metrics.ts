// The supervisor's metrics.
import type { Collected } from '../../features/metrics/service.ts';

export interface SupervisorState {
  configured: number;
  ready: number;
  replaced: number;
}

export function supervisorMetrics({ configured, ready, replaced }: SupervisorState): Collected['supervisor'] {
  const metric = (name: string, type: 'gauge' | 'counter', help: string, value: number) => ({
    ...{ name, type, help },
    samples: [{ value }],
  });
  return [
    metric('kissi_gateways_configured', 'gauge', 'Gateway processes that the supervisor keeps running.', configured),
    metric('kissi_gateways_ready', 'gauge', 'Gateway processes that serve requests.', ready),
    metric('kissi_gateways_replaced_total', 'counter', 'Gateway processes that ended and were replaced.', replaced),
  ];
}
