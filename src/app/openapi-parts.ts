// What the OpenAPI document contains besides the endpoints: the webhooks, the examples that test/examples records, and the client's methods.
import { readFileSync } from 'node:fs';
import type { Examples } from '../http/openapi/examples.ts';
import { pascalCase } from '../http/openapi/schema.ts';
import type { WebhookDefinition } from '../http/openapi/webhooks.ts';
import type { MerchantEventType } from '../webhooks/merchant-event.ts';
import { creditCompleted, creditFailed, creditReversed, merchantEvent } from '../webhooks/payloads.ts';

const CREDITS: WebhookDefinition[] = [
  {
    event: 'credit.completed',
    summary: 'A credit was executed',
    description: "The wallet was credited, and the partner owes the amount. Sent to the partner's webhook_url.",
    payload: creditCompleted,
    tag: 'inbound',
  },
  {
    event: 'credit.failed',
    summary: 'A credit was refused',
    description: 'No money moved, and the reference cannot be used again. failure_code says why.',
    payload: creditFailed,
    tag: 'inbound',
  },
  {
    event: 'credit.reversed',
    summary: 'A credit was reversed',
    description: "The operator debited the wallet and reduced what the partner owes. Sent after the credit's event.",
    payload: creditReversed,
    tag: 'inbound',
  },
];

const EVENTS: Record<MerchantEventType, [summary: string, description: string]> = {
  'payment.completed': ['A customer paid', 'By card, at a terminal or in an app.'],
  'payment.authorized': [
    'A payment was authorised',
    "The amount is reserved in the customer's wallet until expires_at.",
  ],
  'payment.captured': [
    'An authorised payment was captured',
    'The merchant was paid; what was not captured is available again.',
  ],
  'payment.voided': ['An authorised payment was voided', 'What was reserved is available again.'],
  'payment.expired': ['An authorised payment expired', 'It was neither captured nor voided in time.'],
  'payment.refunded': ['A payment was refunded', 'In part or in full; remaining can still be refunded.'],
  'payment_request.paid': ['A request to pay was paid', 'The payee has the money.'],
  'payment_request.declined': ['A request to pay was declined', 'By the payer.'],
  'payment_request.expired': ['A request to pay expired', 'It was not paid in time.'],
  'payment_request.cancelled': ['A request to pay was cancelled', 'By the payee.'],
  'payout.sent': [
    'A pay-out was sent',
    "The amount left the merchant's balance and is in transit to the bank account.",
  ],
  'payout.returned': ['A pay-out came back', "The bank rejected it; the amount is in the merchant's balance again."],
  'bulk_payment.checked': ['A bulk payment was checked', 'Its rows have their outcomes, and it waits for approval.'],
  'bulk_payment.completed': [
    'A bulk payment has ended',
    'Its status is completed or stopped; codes for numbers without a wallet may still be redeemed or return.',
  ],
};

const MERCHANTS = Object.entries(EVENTS).map(([event, [summary, description]]) => ({
  event,
  summary,
  description: `${description} Sent to the webhook endpoints that chose the event.`,
  payload: merchantEvent(event, `${pascalCase(event.replace('.', '_'))}Event`),
  tag: 'webhooks',
}));

export const WEBHOOKS: WebhookDefinition[] = [...CREDITS, ...MERCHANTS];

/** Recorded by `npm run docs:examples`. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'));
}
