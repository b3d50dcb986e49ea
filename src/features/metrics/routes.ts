// GET /metrics for Prometheus.
import { type TSchema, Type } from 'typebox';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { CONTENT_TYPE } from './prometheus.ts';
import type { MetricsService } from './service.ts';

export function metricsRoutes(metrics: MetricsService): Endpoint[] {
  return [
    endpoint({
      id: 'getMetrics',
      clientMethod: 'health.metrics',
      method: 'GET',
      path: '/metrics',
      permission: 'anyone',
      ignoresQuery: true,
      summary: 'Metrics for Prometheus, from the local machine or with METRICS_TOKEN',
      replies: { 200: metricsReply },
      handle: async () => ({ status: 200, body: await metrics.text(), headers: { 'content-type': CONTENT_TYPE } }),
    }),
  ];
}

const metricsReply = {
  description: "Metrics in Prometheus' text format.",
  content: { 'text/plain': { schema: Type.String() } },
} as unknown as TSchema;
