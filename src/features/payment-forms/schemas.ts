// Request and response schemas for fee quotes and of the outcome of requests.
import { Type } from 'typebox';
import { idField, minorUnits, textOrNull } from '../../http/fields.ts';
import { sentRequestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { OUTCOMES } from './outcomes.ts';
import { QUOTED_TYPES } from './quoted-payments.ts';

export const quoteQuery = Type.Object({
  transaction_type: Type.Enum(QUOTED_TYPES),
  amount: Type.String({ maxLength: 32, description: 'Minor units.', examples: ['12500'] }),
  agent_id: Type.Optional({
    ...idField('an agent'),
    description: 'The agent that pays or is paid; required for agent types and for wallet_withdraw.',
  }),
  processor_id: Type.Optional({
    ...idField('a processor'),
    description: 'The processor that pays; required for processor_transfer and processor_payout.',
  }),
  transaction_id: Type.Optional({
    ...idField('a payment'),
    description: 'The payment that is refunded; required for pos_refund.',
  }),
});

export const quoteReply = Type.Object(
  {
    success: Type.Literal(true),
    transaction_type: Type.Enum(QUOTED_TYPES),
    amount: minorUnits(),
    fee: minorUnits('Fee paid by the payer, in addition to the amount.'),
    total_debited: minorUnits("What leaves the payer's account."),
    payee_fee: minorUnits('Fee deducted from what the payee receives.'),
    total_credited: minorUnits("What reaches the payee's account."),
    payer_commission: minorUnits('What the payer earns, even if it is settled later.'),
    payee_commission: minorUnits('What the payee earns, even if it is settled later.'),
    currency: Type.String(),
  },
  { title: 'FeeQuote' },
);

export const requestParams = Type.Object({ request_id: sentRequestIdField() });

/** Not any scope of the ledger: references of partners and keys of the service itself have other forms. */
const PARTY_ID = '^(operator|(sub|agent|proc|ptn)_[0-9A-Z]{26})$';

export const requestQuery = Type.Object({
  party_id: Type.Optional(
    Type.String({
      pattern: PARTY_ID,
      description:
        'The party the request acted for: the wallet (its subscriber id), agent, processor or partner, or operator for ' +
        "treasury movements. Default: the caller's party. Required for callers that act for several parties.",
      examples: ['operator'],
      [ERROR_MESSAGE]: 'must be the id of a subscriber, agent, processor or partner, or operator',
    }),
  ),
});

export const outcomeReply = Type.Object(
  {
    success: Type.Literal(true),
    request_id: Type.String(),
    status: Type.Enum(OUTCOMES, {
      description:
        'completed: the payment was made, once. refused: it was not made, and a repeated request is refused again. ' +
        'pending_approval: it waits for a second user. unknown: nothing is recorded (yet); send the same request again.',
    }),
    transaction_id: textOrNull("The completed payment's; null if an approval executed it."),
    approval_id: textOrNull('If the payment needed approval: GET /admin/approvals/{id} has its result.'),
    reply: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'The stored reply of a payment without approval, as a repeated request would get it: without balances if another ' +
        'credential sent the request.',
    }),
  },
  { title: 'RequestOutcome' },
);
