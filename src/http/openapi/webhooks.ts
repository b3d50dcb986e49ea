// The webhooks of the OpenAPI document: the events that the service sends to partners and merchants.
import type { TSchema } from 'typebox';
import type { Components, Response } from './components.ts';
import { pascalCase } from './schema.ts';
import { HOOK_SIGNATURE } from './security.ts';

export interface WebhookDefinition {
  event: string;
  summary: string;
  description: string;
  payload: TSchema;
  /** The family of routes that it belongs to. */
  tag: string;
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const SIGNATURE_HEADERS = [
  header('X-Hook-Event', true, "The event's name."),
  header('X-Hook-Event-Id', true, "The event's id, the same on every attempt. Process each id once."),
  header('X-Hook-Timestamp', true, 'When this attempt was signed; RFC 3339, UTC. Refuse old ones.'),
  header('X-Hook-Signature', true, `${HOOK_SIGNATURE} Verify it on the raw bytes, before parsing.`),
  header(
    'X-Hook-Signature-Previous',
    false,
    'The signature with the previous secret, until the overlap of its rotation ends.',
  ),
  header('Webhook-Id', true, 'By Standard Webhooks: the X-Hook-Event-Id.'),
  header('Webhook-Timestamp', true, 'By Standard Webhooks: when this attempt was signed, in Unix seconds.'),
  header(
    'Webhook-Signature',
    true,
    'By Standard Webhooks: v1 and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops. During the overlap of a rotation there are two, separated by a space.',
  ),
];

const REPLIES = {
  '2XX': { description: 'The event was received. The reply body is ignored.' },
  default: {
    description:
      'Any other status, a redirect, or no reply within 15 seconds: the event is sent again 30 seconds, 2 minutes, 10 minutes, 1 hour and 6 hours after the first attempt.',
  },
};

export interface Webhook {
  post: { operationId: string; requestBody: { required: true; content: NonNullable<Response['content']> } };
}

export function webhooksOf(definitions: WebhookDefinition[], components: Components): Record<string, Webhook> {
  const webhooks = definitions.map(({ event, summary, description, payload, tag }) => {
    const name = pascalCase(event.replace('.', '_'));
    const schema = components.body(payload, `${name}Event`);
    const post = {
      operationId: `on${name}`,
      tags: [tag],
      summary,
      description,
      parameters: SIGNATURE_HEADERS,
      requestBody: { required: true as const, content: { 'application/json': { schema } } },
      responses: REPLIES,
      security: [],
    };
    return [event, { post }] as const;
  });
  return Object.fromEntries(webhooks);
}
