// Health endpoints: component report, readiness and liveness.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';

export interface HealthService {
  report(): Promise<HealthReport>;
}

export interface HealthReport {
  status: 'ok' | 'degraded';
  wallet_core: 'ok' | 'unavailable';
  version: string;
  uptime_seconds: number;
}

const report = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded']),
    wallet_core: Type.Enum(['ok', 'unavailable']),
    version: Type.String(),
    uptime_seconds: Type.Integer({ description: "The process's uptime." }),
  },
  { title: 'HealthReport' },
);

export function healthRoutes(health: HealthService): Endpoint[] {
  return [
    endpoint({
      id: 'getHealth',
      clientMethod: 'health.get',
      method: 'GET',
      path: '/health',
      permission: 'anyone',
      ignoresQuery: true,
      summary: 'Health of each component',
      replies: { 200: report },
      handle: async () => ok(await health.report()),
    }),
    endpoint({
      id: 'getReadiness',
      clientMethod: 'health.ready',
      method: 'GET',
      path: '/health/ready',
      permission: 'anyone',
      ignoresQuery: true,
      summary: 'Readiness: 503 while the service cannot process requests',
      replies: { 200: report, 503: report },
      handle: async () => {
        const body = await health.report();
        return { status: body.wallet_core === 'ok' ? 200 : 503, body };
      },
    }),
    endpoint({
      id: 'getLiveness',
      clientMethod: 'health.live',
      method: 'GET',
      path: '/health/live',
      permission: 'anyone',
      ignoresQuery: true,
      summary: 'Liveness: the process is running',
      replies: { 200: Type.Object({ status: Type.Literal('ok') }) },
      handle: () => ok({ status: 'ok' }),
    }),
  ];
}
