// Request and response schemas for the card endpoints.
import { Type } from 'typebox';
import { clearable, line, narration, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField } from '../../http/payment-endpoint.ts';
import { putBody } from '../../http/put.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { MAX_LABEL_CHARACTERS, STATUSES, TYPES } from './record.ts';

const serial = () =>
  Type.String({
    maxLength: 100,
    pattern: '^\\s*[A-Za-z0-9._:-]{4,64}\\s*$',
    description: 'Case-insensitive; stored and returned in upper case.',
    [ERROR_MESSAGE]: 'must be 4 to 64 letters, digits, or - _ : .',
  });

export const card = Type.Object(
  {
    serial: Type.String(),
    type: Type.Enum(TYPES),
    status: Type.Enum(STATUSES),
    subscriber_id: textOrNull(),
    parent_serial: textOrNull('On child cards.'),
    label: textOrNull(),
    daily_limit: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Minor units.' }),
    linked_at: textOrNull('ISO 8601, UTC.'),
    retired_at: textOrNull('When the card was blocked for good; it can no longer be linked or unblocked.'),
    created_at: timestamp(),
  },
  { title: 'Card' },
);

export const cardReply = Type.Object({ card });
// Optional fields instead of a union: the serializer would try the branches of a union one by one.
const { serial: cardSerial, status } = card.properties;
const listed = Type.Object(
  { ...Type.Partial(card).properties, serial: cardSerial, status },
  {
    title: 'ListedCard',
    description: "Without PEP access, a politically exposed person's card has serial and status only.",
  },
);
export const cardsReply = listReply('cards', listed);
export const changedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), card },
  { title: 'ChangedCard' },
);

export const uploadReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  total: Type.Integer({ description: 'The number of non-blank lines, without the header.' }),
  created: Type.Integer(),
  skipped: Type.Integer({ description: 'Cards already in stock or linked, or repeated in the file.' }),
  errors: Type.Array(Type.Object({ line: Type.Integer(), serial: Type.String(), error: Type.String() }), {
    description: 'The first 1,000.',
  }),
  errors_total: Type.Integer(),
});

export const serialParams = Type.Object({ serial: Type.String({ minLength: 1 }) });

export const link = Type.Object({
  card_serial: serial(),
  subscriber_id: line(),
  label: Type.Optional(line(MAX_LABEL_CHARACTERS)),
});

export const child = Type.Object({
  parent_serial: serial(),
  card_serial: serial(),
  label: Type.Optional(line(MAX_LABEL_CHARACTERS)),
  // The service validates the number and replies INVALID_AMOUNT.
  daily_limit: Type.Optional(amountField()),
});

export const changes = Type.Object({
  label: clearable(line(MAX_LABEL_CHARACTERS)),
  // The service validates the number and replies INVALID_AMOUNT.
  daily_limit: Type.Optional(amountField('Minor units; empty text removes the limit. Only for linked cards.')),
});
export const updateBody = putBody(changes, card);

export const unlink = Type.Object({ reason: Type.Optional(narration('Why; kept in the audit log.')) });

export const block = Type.Object({
  reason: Type.Optional(narration('Why; kept in the audit log.')),
  permanent: Type.Optional(
    Type.Boolean({
      description:
        'true retires a lost or stolen card: it is unlinked and never linked or unblocked again. Requires reason.',
      [ERROR_MESSAGE]: 'must be true or false',
    }),
  ),
});

export const cardsQuery = listQuery({
  status: Type.Optional(Type.Enum(STATUSES)),
  type: Type.Optional(Type.Enum(TYPES)),
  subscriber_id: Type.Optional(Type.String({ maxLength: 100 })),
  parent_serial: Type.Optional(Type.String({ maxLength: 100 })),
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Prefix of the serial.' })),
});
