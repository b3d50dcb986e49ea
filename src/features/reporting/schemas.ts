// Schemas for reports: series, overview, accounts of the ledger, trial balance and floats of agents.
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import type { CsvRows } from '../../http/endpoint.ts';
import { idField, integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { ACCOUNT_KINDS } from '../../ledger/account-kinds.ts';
import { health } from './health-schema.ts';
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

const figures = Type.Object(
  {
    from: timestamp(),
    to: Type.String({ description: 'Exclusive; the end of the current hour, or of the same hour a week before.' }),
    payments: Type.Integer(),
    value: minorUnits(),
    fees: minorUnits(),
    commissions: minorUnits(),
    refunds: Type.Integer(),
    refunded_value: minorUnits(),
    new_wallets: Type.Integer(),
    active_wallets: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Null for the last 24 hours: wallets are counted by UTC day.',
    }),
    refusals: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() }), {
      description:
        'Refused requests to payment routes, most frequent first. Other gateways add theirs within 5 seconds.',
    }),
  },
  { title: 'Figures' },
);

const comparison = Type.Object({ current: figures, week_before: figures }, { title: 'Comparison' });

const ages = {
  under_1_day: Type.Integer(),
  under_3_days: Type.Integer(),
  under_7_days: Type.Integer(),
  older: Type.Integer(),
};

const day = (description: string) => textOrNull(`${description} YYYY-MM-DD.`);

const financeAttention = Type.Object(
  {
    statements: Type.Object({
      missing: Type.Integer({ description: "Active trust accounts without yesterday's statement." }),
      late: Type.Integer({ description: 'The ones whose last statement ended more than 2 days ago.' }),
      covered_until: day('The last day that statements of all active trust accounts cover; null: there is none.'),
      gaps: Type.Array(
        Type.Object({
          trust_account_id: Type.String(),
          from: Type.String({ description: 'The first day without a statement. YYYY-MM-DD.' }),
          to: Type.String({ description: 'The last day without a statement. YYYY-MM-DD.' }),
        }),
        {
          description:
            'Days between two statements of an active trust account that ended in the last 30 days, newest first, at most 20. Check that the bank issued none for them: entries that sum to zero could be missing.',
        },
      ),
    }),
    unmatched: Type.Object(
      { bank: Type.Object(ages), books: Type.Object(ages) },
      { description: 'Bank entries and movements without a match, by the days since their date.' },
    ),
    suspense: Type.Object(ages, { description: 'Open items of the suspense account by age.' }),
    cover: Type.Object({
      ratio: textOrNull('Trust balances divided by e-money at the end of that day; null: unknown.'),
      date: day('The last day that statements of all active trust accounts cover.'),
      is_below_1: Type.Boolean(),
      trust_balance: integerOrNull(
        'All trust accounts together at the end of that day, in minor units; null: unknown.',
      ),
      e_money: integerOrNull('At the end of that day, in minor units; null: unknown.'),
    }),
    closes: Type.Object({
      missing: Type.Integer({ description: 'Days that are over and not closed.' }),
      last_date: day('The last day that was closed; null: none.'),
    }),
  },
  { description: 'What is waiting for finance. For system_admin, finance_user and audit_user.' },
);

export const countsQuery = Type.Object({
  fresh: Type.Optional(Type.Enum(['true'], { description: "true: read anew, after the caller's change." })),
});

export const countsReply = Type.Object(
  {
    at: timestamp(),
    approvals_to_decide: Type.Optional(
      Type.Integer({ description: 'Open requests of other users that the caller can approve or reject.' }),
    ),
    alerts_overdue: Type.Optional(Type.Integer({ description: 'Open alerts past their due time.' })),
    cases_overdue: Type.Optional(
      Type.Integer({ description: 'Open cases that nobody began with, or that are not resolved, in time.' }),
    ),
    deliveries_failing: Type.Optional(
      Type.Integer({
        description: 'Webhooks whose last attempt failed and that will be retried; counted up to 1,000.',
      }),
    ),
    unmatched: Type.Optional(Type.Integer({ description: 'Bank entries and transactions without a match.' })),
    suspense: Type.Optional(Type.Integer({ description: 'Open items of the suspense account.' })),
  },
  { title: 'Counts', description: "A count is present if the caller's role may read what it counts." },
);

export const overviewReply = Type.Object({
  at: timestamp(),
  today: comparison,
  today_full_hours: Type.Object(comparison.properties, {
    description:
      'Today until the start of the current hour, and the same hours a week before: both are complete, so that they can be compared at any minute.',
  }),
  last_24_hours: comparison,
  balances: Type.Optional(
    Type.Object(
      {
        e_money: minorUnits(
          'Wallets, agent floats, commissions, processors, pay-outs in transit and fee income together, as in the daily close.',
        ),
        wallets: minorUnits(),
        agent_floats: minorUnits(),
        agent_commissions: minorUnits('What agents have earned that is not settled yet.'),
        processors: minorUnits(),
        payouts_in_transit: minorUnits("Processors' pay-outs not yet matched with a bank entry."),
        partner_debts: minorUnits('What partners owe.'),
        suspense: minorUnits('Credits from unidentified payers; negative.'),
        fee_income: minorUnits(),
        treasury: minorUnits(),
      },
      { description: 'For system_admin, finance_user and audit_user.' },
    ),
  ),
  alerts: Type.Optional(
    Type.Object(
      { ...ages, overdue: Type.Integer() },
      { description: 'Open alerts by age. For system_admin, compliance_user and audit_user.' },
    ),
  ),
  approvals: Type.Object(ages, { description: "Requests that wait for a second user's decision, by age." }),
  deliveries: Type.Object({
    pending: Type.Integer({ description: 'Webhooks to be delivered, counted up to 20,000.' }),
    pending_is_minimum: Type.Optional(Type.Literal(true, { description: 'There are more than 20,000.' })),
    oldest_at: textOrNull('The oldest of those counted; ISO 8601, UTC.'),
  }),
  finance: Type.Optional(financeAttention),
  cases: Type.Optional(
    Type.Object(
      {
        open: Type.Integer({ description: 'Neither resolved nor rejected.' }),
        unassigned: Type.Integer({ description: 'Open, and nobody works on them.' }),
        overdue: Type.Integer({ description: 'Open, and nobody began with them or resolved them in time.' }),
        unacknowledged: Type.Integer({ description: 'Open, and nobody began with them.' }),
        recalls: Type.Integer({ description: 'Recalls that hold money until their recipients answer.' }),
        opened: Type.Integer({ description: 'Opened in the last 24 hours.' }),
      },
      { description: 'Cases that wait for staff. For the roles that read cases.' },
    ),
  ),
  health: Type.Optional(health),
});

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
