// Request and response schemas for the payment network of a subject.
import { Type } from 'typebox';
import { dayOrInstant } from '../../../http/date-range.ts';
import { minorUnits, textOrNull, timestamp } from '../../../http/fields.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { ACCOUNT_KINDS } from '../../../ledger/account-kinds.ts';

export const MAX_NODES = 40;
export const MAX_LINKS = 120;
export const DEFAULT_DAYS = 30;
export const MAX_PERIOD_DAYS = 366;

export const networkParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of a subscriber, agent or processor.' }),
});

export const networkQuery = Type.Object({
  days: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-8]\\d|90)$',
      description: `How many days back, from 1 to 90; ${DEFAULT_DAYS} by default. Not together with from or to.`,
      [ERROR_MESSAGE]: 'must be a whole number from 1 to 90',
    }),
  ),
  from: Type.Optional(
    dayOrInstant(
      `The first day or instant, at most ${MAX_PERIOD_DAYS} days before the last; ${DEFAULT_DAYS} by default`,
    ),
  ),
  to: Type.Optional(dayOrInstant('The last day or instant; now by default')),
});

const total = (description: string) =>
  Type.Object(
    {
      payments: Type.Integer({ description: 'Number of payments.' }),
      value: minorUnits('Their sum, in minor units.'),
      first_at: textOrNull('The first of them. ISO 8601, UTC; null if there are none.'),
      last_at: textOrNull('The last of them. ISO 8601, UTC; null if there are none.'),
    },
    { description },
  );

const node = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(ACCOUNT_KINDS),
    is_subject: Type.Boolean({ description: 'The account that was asked for.' }),
    name: textOrNull('In full for staff; null if the account has none.'),
    paid_by_subject: Type.Optional(total('What the subject paid to it. Absent for the subject itself.')),
    paid_to_subject: Type.Optional(total('What it paid to the subject. Absent for the subject itself.')),
  },
  { title: 'NetworkNode', description: 'Politically exposed persons are shown with open PEP access only.' },
);

const link = Type.Object(
  {
    from: Type.String({ description: 'The account that paid.' }),
    to: Type.String({ description: 'The account that was paid.' }),
    payments: Type.Integer({ description: 'Number of payments.' }),
    value: minorUnits('Their sum, in minor units.'),
    first_at: timestamp('The first of them in the period.'),
    last_at: timestamp('The last of them in the period.'),
  },
  { title: 'NetworkLink' },
);

export const networkReply = Type.Object(
  {
    subject_id: Type.String({ description: 'The account that was asked for.' }),
    period: Type.Object({ from: timestamp(), to: timestamp() }, { description: 'The period of the payments.' }),
    counterparty_count: Type.Integer({ description: 'Number of different accounts it paid or was paid by.' }),
    nodes: Type.Array(node, {
      description: `The subject, then its counterparties with the highest value; at most ${MAX_NODES}.`,
    }),
    links: Type.Array(link, {
      description: `Payments by payer and payee: the subject's, then those among its counterparties; at most ${MAX_LINKS}.`,
    }),
    truncated: Type.Boolean({
      description:
        'There are more counterparties or links, or more payments than were read: sums and first dates cover the newest ones.',
    }),
  },
  { title: 'PaymentNetwork' },
);
