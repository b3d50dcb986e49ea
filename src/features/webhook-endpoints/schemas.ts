// Request and response schemas for webhook endpoints.
import { type Static, Type } from 'typebox';
import { idField, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { DAY_MS, iso, SECOND_MS } from '../../kernel/clock.ts';
import { CREDIT_EVENTS } from '../../webhooks/event.ts';
import { MERCHANT_EVENTS } from '../../webhooks/merchant-event.ts';
import type { WebhookEndpoint } from './store.ts';

export const EVENTS = [...MERCHANT_EVENTS, ...CREDIT_EVENTS] as const;
export const OVERLAP_SECONDS = DAY_MS / SECOND_MS;
const MAX_OVERLAP_SECONDS = 7 * OVERLAP_SECONDS;

const url = Type.String({
  maxLength: 2_048,
  description: 'Where events are posted. Must be https in production.',
  [ERROR_MESSAGE]: 'must be an http or https URL',
});
const events = Type.Array(Type.Enum(EVENTS), {
  minItems: 1,
  maxItems: EVENTS.length,
  uniqueItems: true,
  description: 'The events that are sent. `credit.*`: only for partners.',
});
const secret = Type.String({ description: 'Signs the webhooks. Shown once.' });

const record = Type.Object(
  {
    id: idField('the endpoint'),
    processor_id: textOrNull('The merchant that owns it; null if a partner does.'),
    partner_id: textOrNull('The partner that owns it; null if a merchant does.'),
    url: Type.String({ description: 'Where events are sent.' }),
    events: Type.Array(Type.Enum(EVENTS), { description: 'Only these are sent.' }),
    previous_secret_valid_until: textOrNull(
      'Until then the secret before the last rotation signs too; null: there was no rotation, or no overlap. ISO 8601, UTC.',
    ),
    created_by: Type.String({ description: 'The user or API key that created it.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { title: 'WebhookEndpoint' },
);

export const createBody = Type.Object({
  url,
  events,
  processor_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'For staff: the owner. Others own what they create.' }),
  ),
  partner_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'For staff: the owner. Others own what they create.' }),
  ),
});
export type NewEndpoint = Static<typeof createBody>;

const changes = Type.Object({ url: Type.Optional(url), events: Type.Optional(events) });
export type EndpointChanges = Static<typeof changes>;
export const updateBody = putBody(changes, record);

export const rotateBody = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      description: 'How long the old secret signs too. Default: 86,400, a day.',
      [ERROR_MESSAGE]: `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`,
    }),
  ),
});

export const testBody = Type.Object({
  type: Type.Optional(
    Type.Enum(MERCHANT_EVENTS, {
      description: 'Sends an example of this event instead of `endpoint.test`. Not in production.',
    }),
  ),
});

export const endpointsQuery = listQuery({
  processor_id: Type.Optional(Type.String({ maxLength: 100 })),
  partner_id: Type.Optional(Type.String({ maxLength: 100 })),
});

const done = { success: Type.Literal(true), message: Type.String() };
export const endpointsReply = listReply('webhook_endpoints', record);
export const endpointReply = Type.Object({ webhook_endpoint: record });
export const updateReply = Type.Object({ ...done, webhook_endpoint: record });
export const secretReply = Type.Object({ ...done, webhook_endpoint: record, secret });
export const testReply = Type.Object({
  ...done,
  delivery_id: Type.String({ description: 'Its outcome: GET /webhook-deliveries/{id}.' }),
});

export function endpointView({ previous_valid_until, created_at, updated_at, ...row }: WebhookEndpoint) {
  return {
    ...row,
    events: row.events as (typeof EVENTS)[number][],
    previous_secret_valid_until: previous_valid_until && iso(previous_valid_until),
    created_at: iso(created_at),
    updated_at: iso(updated_at),
  };
}
