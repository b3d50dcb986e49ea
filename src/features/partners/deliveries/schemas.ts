// Response schemas for webhook deliveries.
import { type Static, Type } from 'typebox';
import { textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import { type AttemptDetails, type DeliveryDetails, escapeUnprintable, printable } from './details.ts';
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
    partner_id: textOrNull('The partner that it is for; null if it is for a merchant.'),
    processor_id: textOrNull('The merchant that it is for; null if it is for a partner.'),
    endpoint_id: textOrNull("The webhook endpoint; null for a partner's webhook_url."),
    event: Type.String(),
    reference: Type.String({
      description:
        "The partner's reference for a credit; otherwise the id of what the event is about, such as a payment.",
    }),
    inbound_id: textOrNull('The inbound credit; null for other events.'),
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

const headers = (description: string) => Type.Object({}, { additionalProperties: Type.String(), description });
const request = Type.Object(
  {
    url: Type.String({ description: "The endpoint's address at the attempt's time." }),
    headers: headers('As sent, with the signatures, but without connection headers such as Host.'),
  },
  { title: 'WebhookAttemptRequest' },
);
const reply = Type.Object(
  {
    headers: headers('content-type, retry-after and location, if the endpoint sent them.'),
    body: Type.String({
      description:
        'The first 2,000 bytes as text. Control characters except line feeds and tabs are escaped as \\u001b; bytes that are not UTF-8 are U+FFFD.',
    }),
    truncated: Type.Boolean({
      description: 'The body is longer than 2,000 bytes, or was not complete within one second.',
    }),
  },
  { title: 'WebhookAttemptReply' },
);
const detailedAttempt = Type.Object(
  {
    ...attempt.properties,
    request: Type.Union([request, Type.Null()], {
      description: 'Null if nothing could be sent.',
    }),
    reply: Type.Union([reply, Type.Null()], {
      description: 'Null if there was none, or for the reasons given for request.',
    }),
    signature_valid: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        "Whether this attempt's X-Hook-Signature matches the body under a secret that is valid now: the current one or, during the overlap, the previous one. False after a rotation means that it was made with an older secret. Null if the attempt sent no signature or there is no readable secret.",
    }),
  },
  { title: 'DetailedWebhookAttempt' },
);
const detailedDelivery = Type.Object(
  {
    ...delivery.properties,
    body: Type.String({
      description: 'The exact text that every attempt sends and signs; payload is the same, parsed.',
    }),
    attempts: Type.Array(detailedAttempt, { description: 'The latest 20, in order.' }),
  },
  { title: 'DetailedWebhookDelivery' },
);

const filters = {
  status: Type.Optional(Type.Enum(STATUSES)),
  event: Type.Optional(Type.String({ maxLength: 100, description: 'Only this type of event.' })),
  endpoint_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only those to this webhook endpoint.' })),
  reference: Type.Optional(Type.String({ maxLength: 200 })),
};
export const ownDeliveriesQuery = listQuery(filters);
export const deliveriesQuery = listQuery({
  partner_id: Type.Optional(Type.String({ maxLength: 100 })),
  processor_id: Type.Optional(Type.String({ maxLength: 100 })),
  ...filters,
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
export const deliveryReply = Type.Object({ delivery: detailedDelivery });
export const replayReply = Type.Object({ success: Type.Literal(true), message: Type.String(), delivery });

export function deliveryView(row: Delivery): Static<typeof delivery> {
  const { id, partner_id, processor_id, endpoint_id, event, reference, inbound_id, status } = row;
  return {
    ...{ id, partner_id, processor_id, endpoint_id, event, reference, inbound_id, status },
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

export function detailedDeliveryView(row: DeliveryDetails): Static<typeof detailedDelivery> {
  return { ...deliveryView(row), body: row.body, attempts: row.attemptRows.map(detailedAttemptView) };
}

function detailedAttemptView(row: AttemptDetails): Static<typeof detailedAttempt> {
  const { url, request_headers, reply_headers, reply_body, reply_truncated, signatureValid } = row;
  const sentHeaders = request_headers as Record<string, string> | null;
  return {
    ...attemptView(row),
    request: url !== null && sentHeaders ? { url, headers: sentHeaders } : null,
    reply: reply_body && {
      headers: printableHeaders(reply_headers as Record<string, string> | null),
      body: printable(reply_body),
      truncated: reply_truncated ?? false,
    },
    signature_valid: signatureValid,
  };
}

function printableHeaders(received: Record<string, string> | null): Record<string, string> {
  return Object.fromEntries(Object.entries(received ?? {}).map(([name, value]) => [name, escapeUnprintable(value)]));
}
