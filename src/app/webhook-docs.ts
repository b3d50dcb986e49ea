// The webhooks that the OpenAPI document describes.
import type { WebhookDefinition } from '../http/openapi/webhooks.ts';
import { creditCompleted, creditFailed, creditReversed } from '../webhooks/payloads.ts';

export const WEBHOOKS: WebhookDefinition[] = [
  {
    event: 'credit.completed',
    summary: 'A credit was executed',
    description: 'The wallet was credited, and the partner owes the amount. Sent to the webhook_url of the partner.',
    payload: creditCompleted,
  },
  {
    event: 'credit.failed',
    summary: 'A credit was refused',
    description: 'No money moved, and the reference cannot be used again. failure_code says why.',
    payload: creditFailed,
  },
  {
    event: 'credit.reversed',
    summary: 'A credit was reversed',
    description:
      'The operator debited the wallet and reduced what the partner owes. Sent after the event of the credit.',
    payload: creditReversed,
  },
];
