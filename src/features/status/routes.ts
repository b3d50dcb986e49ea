// The endpoint with the state of the service for partners and merchants.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { CACHED_MS, type StatusService } from './service.ts';

const level = (description: string) => Type.Enum(['ok', 'degraded', 'down'], { description });

const delivery = (what: string) =>
  Type.Object({
    status: level('degraded: more than 5 minutes late. down: nothing is sent.'),
    delay_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: `How late the most overdue ${what} is, in whole minutes; null while the service is down.`,
    }),
  });

const report = Type.Object(
  {
    status: level('ok if all of them are, down if payments are.'),
    payments: Type.Object({
      status: level(
        'degraded: in the last 5 minutes payments failed or were rejected because of load. Repeat them with the same request id.',
      ),
    }),
    webhooks: delivery('webhook'),
    messages: delivery('text to a customer'),
    maintenance: Type.Union(
      [
        Type.Object({
          from: Type.String({ format: 'date-time', description: 'When the maintenance begins.' }),
          until: Type.String({ format: 'date-time', description: 'When it ends.' }),
          message: Type.String({ description: 'What is done, in one sentence.' }),
        }),
        Type.Null(),
      ],
      { description: 'Announced maintenance that is to come or in progress.' },
    ),
    checked_at: Type.String({ format: 'date-time', description: 'When the state was looked at.' }),
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
