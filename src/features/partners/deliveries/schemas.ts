// Response schemas of webhook deliveries.
import { type Static, Type } from 'typebox';
import { timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import type { HiddenDelivery } from './service.ts';
import type { AttemptRow, Delivery } from './store.ts';

const STATUSES = ['pending', 'delivered', 'abandoned'] as const;
const orNull = (schema: ReturnType<typeof timestamp>) => Type.Union([schema, Type.Null()]);

const attempt = Type.Object(
  {
    number: Type.Integer(),
    at: timestamp(),
    duration_ms: Type.Integer(),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The HTTP status of the response; null if there was none.',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the attempt failed; null if it was acknowledged.',
    }),
  },
  { title: 'WebhookAttempt' },
);

const delivery = Type.Object(
  {
    id: Type.String({ description: 'The X-Hook-Event-Id of every attempt.' }),
    partner_id: Type.String(),
    event: Type.String(),
    reference: Type.String(),
    inbound_id: Type.String(),
    status: Type.Enum(STATUSES),
    payload: Type.Object({}, { additionalProperties: true, description: 'The body that is sent.' }),
    attempt_count: Type.Integer(),
    attempts: Type.Array(attempt, { description: 'The latest 20, in order.' }),
    next_attempt_at: orNull(timestamp()),
    created_at: timestamp(),
    finished_at: orNull(timestamp()),
  },
  { title: 'WebhookDelivery' },
);

export const deliveriesQuery = listQuery({
  partner_id: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(Type.Enum(STATUSES)),
  reference: Type.Optional(Type.String({ maxLength: 200 })),
});
const { id, status } = delivery.properties;
const listed = Type.Object(
  { ...Type.Partial(delivery).properties, id, status },
  {
    title: 'ListedWebhookDelivery',
    description:
      'Only id and status if it concerns a politically exposed person and the caller has no open PEP access.',
  },
);
export const deliveriesReply = listReply('deliveries', listed);
export const replayReply = Type.Object({ success: Type.Literal(true), message: Type.String(), delivery });

export function deliveryView(row: Delivery): Static<typeof delivery> {
  const { id, partner_id, event, reference, inbound_id, status } = row;
  return {
    ...{ id, partner_id, event, reference, inbound_id, status },
    payload: JSON.parse(row.body),
    attempt_count: row.attempts,
    attempts: row.attemptRows.map(attemptView),
    next_attempt_at: row.next_attempt_at && iso(row.next_attempt_at),
    created_at: iso(row.created_at),
    finished_at: row.finished_at && iso(row.finished_at),
  };
}

export function listedDeliveryView(row: Delivery | HiddenDelivery): Static<typeof listed> {
  return 'body' in row ? deliveryView(row) : { id: row.id, status: row.status };
}

function attemptView({ number, at, duration_ms, http_status, error }: AttemptRow): Static<typeof attempt> {
  return { number, at: iso(at), duration_ms, status: http_status, error };
}
