// Schemas of the first page of a console: the overview, and how much waits for the caller.
import { Type } from 'typebox';
import { integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { DRY_WITHIN_HOURS } from './overview.ts';
import type { CourseMetric } from './series.ts';

const health = Type.Object(
  {
    audit_chain: Type.Object({
      unsealed: Type.Integer({
        description: 'Audit entries that are not in the hash chain yet, counted up to 20,000.',
      }),
      oldest_at: textOrNull('The oldest of them, ISO 8601, UTC; null: there are none.'),
    }),
    wal_archiving: Type.Object(
      {
        enabled: Type.Boolean({ description: 'The database server archives its write-ahead log.' }),
        last_archived_at: textOrNull('ISO 8601, UTC; null: never.'),
        last_failed_at: textOrNull('ISO 8601, UTC; null: never, or not since the statistics were reset.'),
      },
      { description: 'What the database knows about its backups; other backup tools are not visible to it.' },
    ),
    administrators_from_server: Type.Array(
      Type.Object({ id: Type.String(), email: Type.String(), created_at: timestamp() }),
      { description: 'Active administrators created by someone with server access, with npm run admin:create.' },
    ),
  },
  { description: 'For system_admin, audit_user and compliance_user.' },
);

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

/** Of the counts and of the overview. */
export const freshQuery = Type.Object({
  fresh: Type.Optional(Type.Enum(['true'], { description: "true: read anew, after the caller's change." })),
});

export const countsReply = Type.Object(
  {
    at: timestamp(),
    approvals_to_decide: Type.Optional(
      Type.Integer({ description: 'Open requests of other users that the caller can approve.' }),
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

const values = () => Type.Array(Type.Integer(), { description: 'One value per step.' });

const course = Type.Object(
  {
    from: Type.String({ description: 'The start of the first step. ISO 8601, UTC.' }),
    payments: values(),
    value: values(),
    fees: values(),
    refusals: values(),
    new_wallets: values(),
    active_wallets: values(),
  } satisfies Record<'from' | CourseMetric, unknown>,
  { title: 'Course', description: 'Several metrics over the same steps.' },
);

export const overviewReply = Type.Object({
  at: timestamp(),
  today: comparison,
  today_full_hours: Type.Object(comparison.properties, {
    description:
      'Today until the start of the current hour, and the same hours a week before: both are complete, so that they can be compared at any minute.',
  }),
  last_24_hours: comparison,
  today_by_hour: course,
  week_before_by_hour: course,
  last_30_days: course,
  counts: Type.Object(countsReply.properties, { description: 'As `GET /admin/counts` has them.' }),
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
  floats_dry: Type.Optional(
    Type.Integer({
      description: `Active agents whose float lasts less than ${DRY_WITHIN_HOURS} hours, at most a minute old. For the roles that read the ledger.`,
    }),
  ),
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
