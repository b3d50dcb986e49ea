// Request and response schemas for the what-if of fee settings.
import { type Static, Type } from 'typebox';
import { minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { ACCOUNT_KINDS } from '../../../ledger/account-kinds.ts';
import { PARTIES, PRICED_TYPES } from '../../../ledger/movement-types.ts';
import { settingInput } from '../schemas.ts';

export const feeWhatIfBody = Type.Object({
  settings: Type.Array(settingInput, {
    minItems: 1,
    maxItems: PRICED_TYPES.length * PARTIES.length,
    description: 'The proposed settings, in the form PUT /fee-settings accepts. Others stay as they are.',
  }),
});
export type FeeWhatIfInput = Static<typeof feeWhatIfBody>;

const income = Type.Object(
  {
    fees: minorUnits('Charged, in minor units.'),
    commission: minorUnits('Earned by agents and others, in minor units.'),
    income: minorUnits('Fees less commission, in minor units.'),
  },
  { title: 'FeeIncome' },
);

const compared = {
  payments: Type.Integer({ description: 'Payments of types that have fees.' }),
  current: income,
  proposed: income,
};

const payer = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(ACCOUNT_KINDS),
    name: Type.Optional(textOrNull('In full for staff; null if the account has none.')),
    current_fees: Type.Optional(minorUnits()),
    proposed_fees: Type.Optional(minorUnits()),
    difference: Type.Optional(minorUnits()),
  },
  {
    title: 'FeePayer',
    description: 'Without politically exposed persons, unless PEP access is open.',
  },
);

export const feeWhatIfReply = Type.Object(
  {
    period: Type.Object({ from: timestamp(), to: timestamp() }, { description: 'The period that was evaluated.' }),
    truncated: Type.Boolean({ description: 'The last 30 days have too many payments: the period is shorter.' }),
    ...compared,
    difference: minorUnits('The proposed income less the current one, in minor units.'),
    charged: minorUnits('Fees actually charged for these payments, under the settings at the time; minor units.'),
    by_type: Type.Array(Type.Object({ transaction_type: Type.Enum(PRICED_TYPES), ...compared })),
    days: Type.Array(Type.Object({ date: Type.String({ description: 'A UTC day, YYYY-MM-DD.' }), ...compared }), {
      description: 'Every day of the period, oldest first.',
    }),
    payers: Type.Object(
      {
        more: Type.Integer({ description: 'Accounts that would pay more.' }),
        less: Type.Integer({ description: 'Accounts that would pay less.' }),
        same: Type.Integer({ description: 'Accounts that would pay the same.' }),
      },
      { description: 'Accounts that pay a fee under the current settings or the proposed ones.' },
    ),
    paying_more: Type.Array(payer, { description: 'At most 20, those with the largest increase first.' }),
  },
  { title: 'FeeWhatIf' },
);
