// Request and response schemas for the what-if of a monitoring rule.
import { Type } from 'typebox';
import { minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { ACCOUNT_KINDS } from '../../../ledger/account-kinds.ts';
import { ALL_TYPES } from '../../../ledger/movement-types.ts';
import { changes, ruleFields } from '../rule-schemas.ts';

export const whatIfChangeBody = changes;

const affected = {
  flagged: Type.Integer({ description: 'Payments that would have raised an alert.' }),
  blocked: Type.Integer({ description: 'Payments that would have been refused.' }),
  value: minorUnits('The sum of these payments, in minor units.'),
  share_percent: Type.Number({ description: 'Share of the checked payments, with up to 4 decimals.' }),
  subjects: Type.Integer({ description: 'Different accounts that these payments count for.' }),
};

const HIDDEN = 'Without politically exposed persons, unless PEP access is open.';

const topSubject = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(ACCOUNT_KINDS),
    name: Type.Optional(textOrNull('In full for staff; null if the account has none.')),
    payments: Type.Optional(Type.Integer({ description: 'Affected payments that count for the account.' })),
    value: Type.Optional(minorUnits()),
  },
  { title: 'AffectedSubject', description: HIDDEN },
);

const example = Type.Object(
  {
    transaction_id: Type.String(),
    at: Type.Optional(timestamp()),
    transaction_type: Type.Optional(Type.Enum(ALL_TYPES)),
    amount: Type.Optional(minorUnits()),
    subject_id: Type.Optional(Type.String({ description: 'The account that the payment counts for.' })),
    found: Type.Optional(
      Type.Integer({ description: 'The amount, count or sum that exceeds the threshold, including this payment.' }),
    ),
  },
  {
    title: 'AffectedPayment',
    description: 'Without payments of politically exposed persons, unless PEP access is open.',
  },
);

const current = Type.Object(
  {
    ...affected,
    refused: Type.Integer({
      description: 'Payments the rule actually refused in the period. They are not in the history.',
    }),
  },
  { description: 'The same for the rule as it is now. All zero if it is disabled.' },
);

export const whatIfReply = Type.Object(
  {
    rule: Type.Object({
      ...ruleFields,
      threshold: Type.Integer(),
      window_seconds: Type.Union([Type.Integer(), Type.Null()]),
    }),
    period: Type.Object({ from: timestamp(), to: timestamp() }, { description: 'The period that was evaluated.' }),
    truncated: Type.Boolean({ description: 'The last 30 days have too many payments: the period is shorter.' }),
    counts_are_minimum: Type.Boolean({
      description: 'Not all payments before the period, which its first windows include, could be read.',
    }),
    payments_checked: Type.Integer({ description: "Payments of the rule's types in the period." }),
    proposed: Type.Object({
      ...affected,
      top_subjects: Type.Array(topSubject, { description: 'At most 20, those with the most payments first.' }),
      examples: Type.Array(example, { description: 'At most 10, newest first.' }),
    }),
    current: Type.Optional(current),
    comparison: Type.Optional(
      Type.Object(
        {
          newly_affected: Type.Integer({ description: 'Payments that only the proposed rule affects.' }),
          no_longer_affected: Type.Integer({ description: 'Payments that only the current rule affects.' }),
        },
        { description: 'Absent for a new rule, as `current`.' },
      ),
    ),
    days: Type.Array(
      Type.Object({
        date: Type.String({ description: 'A UTC day, YYYY-MM-DD.' }),
        payments: Type.Integer({ description: "Payments of the rule's types." }),
        flagged: affected.flagged,
        blocked: affected.blocked,
        current: Type.Optional(Type.Integer({ description: 'Payments that the current rule affects.' })),
      }),
      { description: 'Every day of the period, oldest first.' },
    ),
  },
  { title: 'RuleWhatIf' },
);
