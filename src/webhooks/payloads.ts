// Schemas for the bodies of webhooks, as `event.ts` writes them.
import { Type } from 'typebox';
import { ERROR_CODE } from '../kernel/refusal.ts';

const common = {
  reference: Type.String({ description: "The partner's reference for the credit." }),
  inbound_id: Type.String({ description: 'The id of the inbound credit.' }),
  operation: Type.Literal('credit'),
  amount: Type.Integer({ description: 'As sent by the partner. Minor units.' }),
  fee: Type.Integer({ description: 'Deducted from the amount. Minor units.' }),
  currency: Type.String({ description: 'As sent by the partner, even if the credit was refused because of it.' }),
  occurred_at: Type.String({ description: 'When the outcome was decided. ISO 8601, UTC.' }),
};

const transactionId = Type.String({
  description: "The credit's transaction; for a reversal too, because the partner knows it.",
});
const subscriberId = Type.String({ description: 'The holder of the credited wallet.' });

export const creditCompleted = Type.Object(
  {
    event: Type.Literal('credit.completed'),
    ...common,
    status: Type.Literal('COMPLETED'),
    subscriber_id: subscriberId,
    transaction_id: transactionId,
  },
  { title: 'CreditCompletedEvent' },
);

export const creditFailed = Type.Object(
  {
    event: Type.Literal('credit.failed'),
    ...common,
    status: Type.Enum(['REJECTED', 'FAILED'], {
      description: 'REJECTED: a rule refused the credit. FAILED: an internal error prevented it.',
    }),
    subscriber_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The intended beneficiary; null if none was found.',
    }),
    transaction_id: Type.Null({ description: 'No money moved.' }),
    failure_code: Type.Unsafe<string>(ERROR_CODE),
  },
  { title: 'CreditFailedEvent' },
);

export const creditReversed = Type.Object(
  {
    event: Type.Literal('credit.reversed'),
    ...common,
    status: Type.Literal('REVERSED'),
    subscriber_id: subscriberId,
    transaction_id: transactionId,
    reason: Type.String({ description: 'Why the operator reversed the credit.' }),
  },
  { title: 'CreditReversedEvent' },
);

/** The payload of all other events. */
export const merchantEvent = (type: string, title: string) =>
  Type.Object(
    {
      id: Type.String({ description: 'The X-Hook-Event-Id. Process each id once.' }),
      type: Type.Literal(type),
      created_at: Type.String({ description: 'When it happened. ISO 8601, UTC.' }),
      data: Type.Object({
        object: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'The payment, request or pay-out, with the fields that the API replied.',
          },
        ),
      }),
    },
    { title },
  );
