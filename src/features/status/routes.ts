// The endpoint with the state of the service for partners and merchants.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { CACHED_MS, type StatusService } from './service.ts';

const level = Type.Enum(['ok', 'degraded', 'down']);

const delivery = (what: string) =>
  Type.Object(
    {
      status: level,
      delay_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description: `How late the most overdue ${what} is, in whole minutes; null while the service is down.`,
      }),
    },
    { description: 'degraded: more than 5 minutes late.' },
  );

const report = Type.Object(
  {
    status: level,
    payments: Type.Object(
      { status: level },
      {
        description:
          'degraded: in the last 5 minutes payments failed or were rejected because of load. Repeat them with the same request id.',
      },
    ),
    webhooks: delivery('webhook'),
    messages: delivery('text to a customer'),
    maintenance: Type.Union(
      [
        Type.Object({
          from: Type.String({ format: 'date-time' }),
          until: Type.String({ format: 'date-time' }),
          message: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Announced maintenance that is to come or in progress.' },
    ),
    checked_at: Type.String({ format: 'date-time' }),
  },
  { title: 'ServiceStatus' },
);

export function statusRoutes(status: StatusService): Endpoint[] {
  return [
    endpoint({
      id: 'getStatus',
      clientMethod: 'health.status',
      method: 'GET',
      path: '/status',
      permission: 'anyone',
      summary: 'Get the state of payments and deliveries, and announced maintenance',
      description:
        'For partners and merchants: an outage here explains refused payments and missing webhooks. It is 200 in every state, and checked every 10 seconds at most.',
      perIpLimit: 'page',
      replies: { 200: report },
      handle: async () => ({
        ...ok({ ...(await status.report()) }),
        headers: { 'cache-control': `public, max-age=${CACHED_MS / SECOND_MS}` },
      }),
    }),
  ];
}
