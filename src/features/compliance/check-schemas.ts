// Request and response schemas for a check: a hypothetical payment and the rules it triggers.
import { type Static, Type } from 'typebox';
import { amountField, requestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { ALL_TYPES } from '../../ledger/movement-types.ts';
import { KINDS, OUTCOMES, SEVERITIES, SIDES, type Triggered } from '../../payments/compliance-rules.ts';

export const checkBody = Type.Object({
  subscriber_id: Type.String({ minLength: 1, maxLength: 128, [ERROR_MESSAGE]: "must be a subscriber's id" }),
  transaction_type: Type.Enum(ALL_TYPES),
  amount: amountField(),
  request_id: Type.Optional({ ...requestIdField(), description: 'A repeated check returns the same alert.' }),
});
export type CheckInput = Static<typeof checkBody>;

const triggeredRule = Type.Object(
  {
    id: Type.String(),
    ...Type.Partial(
      Type.Object({
        name: Type.String(),
        version: Type.Integer(),
        kind: Type.Enum(KINDS),
        side: Type.Enum(SIDES),
        outcome: Type.Enum(OUTCOMES),
        severity: Type.Enum(SEVERITIES),
        threshold: Type.Integer(),
        window_seconds: Type.Union([Type.Integer(), Type.Null()]),
        found: Type.Integer({
          description: 'The amount or count that exceeds the threshold, including this payment; a lower bound.',
        }),
      }),
    ).properties,
  },
  { title: 'TriggeredRule' },
);

export const checkReply = Type.Object({
  success: Type.Literal(true),
  outcome: Type.Enum(['pass', ...OUTCOMES]),
  rules: Type.Array(triggeredRule, {
    description: 'The rules that the payment triggers. API keys get only their ids.',
  }),
  alert_id: Type.Optional(
    Type.String({
      description: 'Present if the outcome is not pass. Identical checks within a minute return the same alert.',
    }),
  ),
});

export function triggeredId({ rule }: Triggered): Static<typeof triggeredRule> {
  return { id: rule.id };
}

export function triggeredView({ rule, found }: Triggered): Static<typeof triggeredRule> {
  const { id, name, version, kind, side, outcome, severity, threshold, windowMs } = rule;
  return {
    ...{ id, name, version, kind, side, outcome, severity, threshold },
    window_seconds: kind === 'amount' ? null : windowMs / SECOND_MS,
    found: Math.min(found, Number.MAX_SAFE_INTEGER),
  };
}
