// What the OpenAPI document contains besides the endpoints: the webhooks, the examples that test/examples records, and the client's methods.
import { readFileSync } from 'node:fs';
import type { Examples } from '../http/openapi/examples.ts';
import type { WebhookDefinition } from '../http/openapi/webhooks.ts';
import { creditCompleted, creditFailed, creditReversed } from '../webhooks/payloads.ts';

export const WEBHOOKS: WebhookDefinition[] = [
  {
    event: 'credit.completed',
    summary: 'A credit was executed',
    description: "The wallet was credited, and the partner owes the amount. Sent to the partner's webhook_url.",
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
    description: "The operator debited the wallet and reduced what the partner owes. Sent after the credit's event.",
    payload: creditReversed,
  },
];

/** Recorded by `npm run docs:examples`. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'));
}
