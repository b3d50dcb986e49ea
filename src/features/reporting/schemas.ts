// Schemas for reports: series, accounts of the ledger, trial balance and floats of agents.
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import type { CsvRows } from '../../http/endpoint.ts';
import { idField, integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { ACCOUNT_KINDS } from '../../ledger/account-kinds.ts';
import { METRICS } from './metrics.ts';
import { MAX_POINTS, STEPS } from './periods.ts';

export const seriesQuery = Type.Object({
  metric: Type.Enum(METRICS, {
    description:
      "payments, value: customers' payments, without refunds, reversals and float movements. refunds, refunded_value: refunds and " +
      'reversals. movements: everything. active_wallets: wallets with a posting in the step.',
  }),
  from: Type.Optional(dayOrInstant('The first step contains it')),
  to: Type.Optional(dayOrInstant('The last step contains it')),
  step: Type.Optional(Type.Enum(STEPS, { description: 'day by default; UTC, weeks start on Monday.' })),
  by: Type.Optional(Type.Enum(['type'], { description: 'One series per movement type; for sums over movements.' })),
});

const point = Type.Object({ at: timestamp(), value: Type.Integer() }, { title: 'SeriesPoint' });

export const seriesReply = Type.Object({
  metric: Type.Enum(METRICS),
  unit: Type.Enum(['count', 'minor_units']),
  step: Type.Enum(STEPS),
  from: timestamp(),
  to: Type.String({ description: 'The end of the last step, exclusive. ISO 8601, UTC.' }),
  series: Type.Array(
    Type.Object({
      type: textOrNull('The movement type; null without by.'),
      total: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Null for active_wallets: a wallet can be active in several steps.',
      }),
      points: Type.Array(point, { description: `One per step, at most ${MAX_POINTS}.` }),
    }),
  ),
});

type SeriesReply = Static<typeof seriesReply>;

/** One row per series and point. */
export const seriesRows: CsvRows = {
  columns: ['metric', 'unit', 'step', 'type', 'at', 'value'],
  of(reply) {
    const { metric, unit, step, series } = reply as unknown as SeriesReply;
    return series.flatMap(({ type, points }) => points.map((point) => ({ metric, unit, step, type, ...point })));
  },
};

export const accountsQuery = listQuery({
  kind: Type.Optional(Type.Enum(ACCOUNT_KINDS)),
  owner: Type.Optional(idField('the owner')),
  cursor: Type.Optional(Type.String({ maxLength: 128, description: 'next_cursor of the previous page.' })),
});

const accountKind = Type.Enum(ACCOUNT_KINDS);

const ledgerAccount = Type.Object(
  {
    account_id: Type.String(),
    kind: accountKind,
    balance: Type.Optional(minorUnits()),
    balance_formatted: Type.Optional(Type.String()),
    currency: Type.Optional(Type.String()),
    floor: Type.Optional(integerOrNull()),
    ceiling: Type.Optional(integerOrNull()),
    frozen: Type.Optional(Type.Boolean()),
    posting_count: Type.Optional(Type.Integer()),
    last_posting_at: Type.Optional(textOrNull('ISO 8601, UTC.')),
    opened_at: Type.Optional(timestamp()),
  },
  {
    title: 'LedgerAccount',
    description: "Only account_id and kind of a politically exposed person's wallet, without open PEP access.",
  },
);

export const accountsReply = Type.Object({
  ...listReply('accounts', ledgerAccount).properties,
  total_is_minimum: Type.Optional(
    Type.Literal(true, { description: 'Present if total_count is a lower bound because there are more.' }),
  ),
  next_cursor: textOrNull('The cursor of the next page; null on the last one.'),
});

export const trialBalanceQuery = Type.Object({
  at: Type.Optional(
    dayOrInstant('The books after everything that was posted before it (a day: its start, UTC); now by default'),
  ),
});

export const trialBalanceReply = Type.Object({
  at: timestamp(),
  kinds: Type.Array(Type.Object({ kind: accountKind, balance: minorUnits() })),
  total: minorUnits('Always zero.'),
});

export const floatsQuery = listQuery({
  type: Type.Optional(Type.Enum(['super_agent', 'sub_agent'], { description: 'Only agents of this type.' })),
  parent_agent_id: Type.Optional({ ...idField('a super-agent'), description: 'Only its sub-agents.' }),
  hours_left_below: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,3}$',
      description: 'Only active agents whose hours_left is less.',
      [ERROR_MESSAGE]: 'must be a whole number of 1 to 9999',
    }),
  ),
});

export const floatsReply = listReply(
  'floats',
  Type.Object({
    agent_id: Type.String(),
    business_name: Type.String(),
    type: Type.String(),
    status: Type.String(),
    parent_agent_id: textOrNull(),
    balance: minorUnits(),
    balance_formatted: Type.String(),
    currency: Type.String(),
    outflow_24_hours: minorUnits(
      'Net amount that customers took out of the float in the 24 hours before the current hour; negative if they paid in.',
    ),
    outflow_7_days: minorUnits('The same for the 7 days before the current hour.'),
    hours_left: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'How long the balance lasts at the faster of the 24-hour and 7-day rates; null if the float does not shrink.',
    }),
    sub_agent_count: Type.Integer({ description: 'Sub-agents, without terminated ones; zero for a sub-agent.' }),
    network_balance: minorUnits("Its float and its sub-agents' floats together, in minor units."),
    network_hours_left: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'The lowest hours_left of the agent and its sub-agents; null if no float shrinks.',
    }),
  }),
);
