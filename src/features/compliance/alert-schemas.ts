// Request and response schemas for alerts.
import { BODY_HASH } from '@kissi/signatures/node';
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { freeText, line, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { iso } from '../../kernel/clock.ts';
import { SEVERITIES } from '../../payments/compliance-rules.ts';
import type { ShownAlert } from './alert-people.ts';
import type { HiddenAlert } from './pep-masking.ts';

export const STATUSES = ['open', 'in_review', 'resolved', 'dismissed'] as const;
export type AlertStatus = (typeof STATUSES)[number];

/** How a review ended. The first two say that nothing was wrong, as a dismissal does. */
export const UNFOUNDED = ['false_positive', 'customer_explained'] as const;
export const OUTCOMES = [...UNFOUNDED, 'confirmed_reported', 'confirmed_blocked'] as const;
export type AlertOutcome = (typeof OUTCOMES)[number];
const OUTCOME_MEANINGS =
  'false_positive: the rule was wrong. customer_explained: the customer gave a reason. confirmed_reported: reported to the authority. confirmed_blocked: the account was blocked.';

const orNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description ? { description } : {}) });
const id = (what: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: `The id of ${what}.`,
      [ERROR_MESSAGE]: `must be the id of ${what}`,
    }),
  );

const type = line(64);

const alertRecord = Type.Object(
  {
    id: Type.String(),
    severity: Type.Enum(SEVERITIES),
    status: Type.Enum(STATUSES),
    type: Type.String({ description: 'The kind of rule that raised it, or the type its reporter sent.' }),
    subscriber_id: orNull(),
    agent_id: orNull(),
    processor_id: orNull(),
    transaction_id: orNull('Null if no money moved.'),
    rule_id: orNull('Null if no rule raised it.'),
    rule_version: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    description: Type.String(),
    notes: orNull(),
    figures: Type.Object(
      {},
      { additionalProperties: true, description: 'The evidence: amounts, counts and all rules that were triggered.' },
    ),
    created_at: timestamp(),
    due_at: orNull('When its review is due: CRITICAL at once, HIGH in 24 hours, MEDIUM in 48, LOW never (null).'),
    resolved_at: orNull('When it was resolved or dismissed.'),
    resolved_by: orNull(),
    resolved_by_name: orNull('The name of that user; null for an API key.'),
    resolution: orNull(),
    reported_by_name: orNull('The name of the user or API key who reported it; null for others.'),
    outcome: Type.Unsafe<AlertOutcome | null>({
      type: ['string', 'null'],
      enum: [...OUTCOMES, null],
      description: `${OUTCOME_MEANINGS} Null: the alert is open, or its review named none.`,
    }),
    subject_name: orNull(
      'The name of the subscriber, agent or processor that it is about. Null for internal services.',
    ),
    assigned_to: orNull('The user or API key reviewing it; null if there is none.'),
    assignee_name: orNull('The name of that user; null for an API key.'),
    assigned_at: orNull('When the user took it. ISO 8601, UTC.'),
  },
  { title: 'Alert' },
);

export const createAlertBody = Type.Object({
  severity: Type.Enum(SEVERITIES),
  type: Type.Optional({ ...type, description: 'Default: manual.' }),
  description: freeText('What was observed.'),
  subscriber_id: id('a subscriber'),
  agent_id: id('an agent'),
  processor_id: id('a processor'),
  transaction_id: id('a transaction'),
});
export type NewAlertFields = Static<typeof createAlertBody>;

export const createAlertQuery = Type.Object({
  [BODY_HASH]: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{64}$',
      description: 'For internal services: hex SHA-256 of the body. The signature covers the query, and so the body.',
      [ERROR_MESSAGE]: 'must be 64 hexadecimal digits',
    }),
  ),
});

const outcome = Type.Optional(Type.Enum([...OUTCOMES], { description: OUTCOME_MEANINGS }));

export const resolveAlertBody = Type.Object({ resolution: freeText('What was found and done.'), outcome });
export type ResolvedFields = Static<typeof resolveAlertBody>;

const changes = Type.Object({
  status: Type.Optional(Type.Enum(STATUSES)),
  notes: Type.Optional(freeText('Replaces the existing notes.')),
  resolution: Type.Optional(freeText('With the status resolved or dismissed: what was found.')),
  outcome: Type.Optional(
    Type.Enum([...OUTCOMES], {
      description: `With the status resolved or dismissed. A dismissed alert takes ${UNFOUNDED.join(' or ')}.`,
    }),
  ),
});
export type AlertFields = Static<typeof changes>;
export const updateAlertBody = putBody(changes, alertRecord);

export const alertReply = Type.Object({ alert: alertRecord });
export const alertSavedReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  alert: alertRecord,
});

const plain = (what: string) => Type.Optional(Type.String({ maxLength: 128, description: what }));

export const alertsQuery = listQuery({
  severity: Type.Optional(Type.Enum(SEVERITIES)),
  status: Type.Optional(Type.Enum(STATUSES)),
  outcome: Type.Optional(Type.Enum([...OUTCOMES], { description: 'How its review ended.' })),
  type: plain('The exact type.'),
  subscriber_id: plain('About this subscriber.'),
  agent_id: plain('About this agent.'),
  processor_id: plain('About this processor.'),
  transaction_id: plain('About this transaction.'),
  rule_id: plain('Raised by this rule.'),
  from: Type.Optional(dayOrInstant('Raised at or after this time')),
  to: Type.Optional(dayOrInstant('Raised at or before this time')),
  overdue: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: open alerts whose review is overdue.' })),
  pending: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true: open and in review. false: resolved and dismissed.' }),
  ),
  assignee: Type.Optional(
    Type.Enum(['me', 'none'], { description: "me: the caller's alerts. none: alerts without an assignee." }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'due_at'], {
      description:
        'newest (default), or due_at: the one that is due first, then those without a due time. Without PEP access, alerts about politically exposed persons come last, so that their position does not reveal when they are due.',
    }),
  ),
});
export type AlertsQuery = Static<typeof alertsQuery>;
const { id: alertId, status: alertStatus } = alertRecord.properties;
const listed = Type.Object(
  { ...Type.Partial(alertRecord).properties, id: alertId, status: alertStatus },
  {
    title: 'ListedAlert',
    description: 'Without PEP access, an alert about a politically exposed person has id and status only.',
  },
);
export const alertsReply = listReply('alerts', listed);

export function alertView(row: ShownAlert): Static<typeof alertRecord> {
  const { created_at, due_at, resolved_at, assigned_at, ...rest } = row;
  const times = {
    created_at: iso(created_at),
    due_at: due_at && iso(due_at),
    resolved_at: resolved_at && iso(resolved_at),
    assigned_at: assigned_at && iso(assigned_at),
  };
  return { ...rest, ...times } as Static<typeof alertRecord>;
}

export function listedView(row: ShownAlert | HiddenAlert): Static<typeof listed> {
  return 'figures' in row ? alertView(row) : (row as Static<typeof listed>);
}
