// Request and response schemas for commission tiers and of an agent's commissions.
import { type Static, Type } from 'typebox';
import { minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply } from '../../../http/paging.ts';
import { putBody } from '../../../http/put.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { MAX_COMMISSION_PERCENT } from '../../../payments/commission.ts';

const percent = () =>
  Type.Number({
    minimum: 0,
    maximum: MAX_COMMISSION_PERCENT,
    description: "The percentage of the fee settings' commissions that agents of this tier get; up to 4 decimals.",
    [ERROR_MESSAGE]: `must be a number from 0 to ${MAX_COMMISSION_PERCENT}`,
  });

export const tiersReply = Type.Object({ standard: percent(), premium: percent() }, { title: 'CommissionTiers' });

const tiersInput = Type.Object({ standard: Type.Optional(percent()), premium: Type.Optional(percent()) });
export type TiersBody = Static<typeof tiersInput>;
export const tiersBody = putBody(tiersInput, tiersReply);
export const savedTiersReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  ...tiersReply.properties,
});

export const commissionsQuery = listQuery({});

const periodName = 'A UTC day (2026-11-16) or an ISO week (2026-W47).';

const settlement = Type.Object(
  {
    period: textOrNull(`${periodName} final-… for the settlement before a termination.`),
    amount: minorUnits(),
    amount_formatted: Type.String(),
    transaction_id: Type.String(),
    settled_at: timestamp(),
  },
  { title: 'CommissionSettlement' },
);

export const commissionsReply = Type.Object({
  agent_id: Type.String(),
  settlement_mode: Type.String(),
  accrued: minorUnits('What the agent has earned that is not settled yet.'),
  accrued_formatted: Type.String(),
  settled_total: minorUnits('The sum of all settlements.'),
  currency: Type.String(),
  ...listReply('settlements', settlement).properties,
  accrued_by_period: Type.Array(
    Type.Object({
      period: Type.String({ description: periodName }),
      ends_at: timestamp(),
      status: Type.Enum(['due', 'running'], {
        description: 'due: the period has ended, and its commission is about to be settled.',
      }),
      amount: minorUnits('Includes what earlier periods left over.'),
    }),
    { description: 'They add up to accrued.' },
  ),
});
