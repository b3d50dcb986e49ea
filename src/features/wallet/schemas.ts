// What the wallet's routes take and give.
import { type TSchema, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { description, phoneNumber, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, requestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { WATCHED_TYPES as MOVEMENT_TYPES } from '../../payments/compliance-rules.ts';

/** Only what was completed is in the books; the other words are those of inbound credits. */
const STATUSES = ['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED', 'PROCESSING'];

const FORMATS = ['json', 'csv', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];

// As a list of types rather than a union: the serializer then writes it without trying branch after branch.
const textOrNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description ? { description } : {}) });
const integerOrNull = () => Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const minorUnits = (description = 'Minor units.') => Type.Integer({ description });

const idField = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: `The id of ${what}.`,
    [ERROR_MESSAGE]: `must be the id of ${what}`,
  });
/** Any text: what is not four digits is refused by a code of its own. */
const pin = () => Type.String({ description: 'Exactly 4 digits.' });

export const subscriberParams = Type.Object({ subscriber_id: Type.String({ minLength: 1 }) });
export const userParams = Type.Object({ user_id: Type.String({ minLength: 1 }) });
export const pinBody = Type.Object({ pin: pin() });

export const balanceReply = Type.Object(
  {
    success: Type.Literal(true),
    balance: minorUnits(),
    balance_formatted: Type.String({ description: 'For people: 1,234.56 SLE.' }),
    currency: Type.String(),
    subscriber_id: Type.String(),
    last_transaction_at: textOrNull('ISO 8601, UTC; null when money never moved.'),
  },
  { title: 'Balance' },
);

export const transferBody = Type.Object({
  sender_id: idField('a subscriber'),
  recipient_id: Type.Optional(idField('a subscriber')),
  recipient_phone: Type.Optional(phoneNumber()),
  amount: amountField(),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});

export const transferByCardBody = Type.Object({
  sender_id: idField('a subscriber'),
  recipient_card_serial: Type.String({ minLength: 1, maxLength: 128 }),
  amount: amountField(),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});

export const fundBody = Type.Object({
  partner_id: idField('a partner'),
  subscriber_id: Type.Optional(idField('a subscriber')),
  partner_wallet_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  amount: amountField(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});

export const withdrawBody = Type.Object({
  subscriber_id: idField('a subscriber'),
  agent_id: idField('an agent'),
  amount: amountField(),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
  description: Type.Optional(description()),
});

const payment = {
  success: Type.Literal(true),
  message: Type.String(),
  transaction_id: Type.String(),
  request_id: textOrNull(),
  status: Type.Literal('COMPLETED'),
  amount: minorUnits(),
  fee: minorUnits('What the payer paid beyond the amount.'),
  total_debited: minorUnits('What left the payer.'),
  currency: Type.String(),
  balance: minorUnits('The balance of the wallet after it.'),
  created_at: timestamp(),
};
export const paymentReply = Type.Object(payment, { title: 'Payment' });
export const fundReply = Type.Object({ ...payment, partner_id: Type.String(), subscriber_id: Type.String() });

/** What any account's history is filtered and paged by, beside limit and offset. */
export const historyFilters = {
  type: Type.Optional(Type.Enum(MOVEMENT_TYPES)),
  status: Type.Optional(Type.Enum(STATUSES)),
  from: Type.Optional(dayOrInstant('The first day or instant')),
  to: Type.Optional(dayOrInstant('The last day or instant')),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'next_cursor of the page before.' })),
};

export const transactionsQuery = listQuery({
  subscriber_id: Type.Optional(idField('a subscriber')),
  ...historyFilters,
});

const OF_A_PEP = "null in anybody else's history where it is a politically exposed person.";

const seen = {
  transaction_id: Type.String(),
  type: Type.String(),
  direction: Type.Unsafe<string | null>({ enum: ['debit', 'credit', null] }),
  amount: minorUnits(),
  fee: minorUnits('What of it this account bore, or all fees where no account was asked for.'),
  balance_after: integerOrNull(),
  counterparty: textOrNull(`The id of the other side; ${OF_A_PEP}`),
  payer_id: textOrNull(OF_A_PEP),
  payee_id: textOrNull(OF_A_PEP),
  narration: textOrNull(),
  status: Type.String(),
  request_id: textOrNull(),
  reference: textOrNull(),
  created_at: timestamp(),
};
const metadata = Type.Unsafe<unknown>({ description: 'What the caller sent along, to the letter; null when nothing.' });
export const transaction = Type.Object({ ...seen, metadata }, { title: 'Transaction' });

/** The text of a history is not written by its schema, so that a union costs nothing. */
const hidden = Type.Object(
  { transaction_id: Type.String(), status: Type.String() },
  { additionalProperties: false, title: 'HiddenTransaction', description: 'Of a politically exposed person.' },
);

export const transactionsReply = Type.Object({
  ...listReply('transactions', Type.Union([transaction, hidden])).properties,
  total_is_minimum: Type.Optional(
    Type.Literal(true, {
      description: 'There where counting all of them would take longer than a request may: at least total_count match.',
    }),
  ),
  next_cursor: textOrNull(
    'Give it as cursor for the next page; null on the last one. A page may be short where what is sought is rare.',
  ),
});

export const statementBody = Type.Object({
  subscriber_id: idField('a subscriber'),
  from: dayOrInstant('The first day or instant'),
  to: dayOrInstant('The last day or instant, at most 366 days later'),
  format: Type.Optional(Type.Enum(FORMATS, { description: 'json unless told.' })),
});

const entry = Type.Object({
  ...seen,
  description: Type.String({ description: 'In words, for people.' }),
  debit: minorUnits('What left the wallet, fee included.'),
  credit: minorUnits('What reached it, fee deducted.'),
  metadata: Type.Optional(
    Type.Unsafe<unknown>({ description: "What came with a credit by a partner's system, to the letter." }),
  ),
});

const statement = Type.Object(
  {
    success: Type.Literal(true),
    subscriber_id: Type.String(),
    holder_name: Type.String(),
    account_number: Type.String({ description: 'Masked but for its last four digits.' }),
    currency: Type.String(),
    from: timestamp(),
    to: timestamp(),
    generated_at: timestamp(),
    opening_balance: minorUnits(),
    opening_balance_formatted: Type.String(),
    closing_balance: minorUnits('opening_balance + total_credits - total_debits.'),
    closing_balance_formatted: Type.String(),
    total_credits: minorUnits(),
    total_debits: minorUnits(),
    entry_count: Type.Integer(),
    entries: Type.Array(entry),
  },
  { title: 'Statement' },
);

/** One reply in three formats, two of them files. */
export const statementReply = {
  description: 'The statement, in the format that was asked for.',
  content: {
    'application/json': { schema: statement },
    'text/csv': { schema: Type.String() },
    'application/pdf': { schema: Type.String({ format: 'binary' }) },
  },
} as unknown as TSchema;
