// Request and response schemas for account statements.
import { type TSchema, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { idField, integerOrNull, minorUnits, pdfFile, textOrNull, timestamp } from '../../http/fields.ts';
import { movementFields } from '../transactions/service.ts';

export const FORMATS = ['json', 'csv', 'pdf'] as const;
export type Format = (typeof FORMATS)[number];

export const statementBody = Type.Object({
  subscriber_id: idField('a subscriber'),
  from: dayOrInstant('The first day or instant, inclusive'),
  to: dayOrInstant('The last day or instant, inclusive; at most 366 days after from'),
  format: Type.Optional(Type.Enum(FORMATS, { description: 'Default: json.' })),
});

const entry = Type.Object(
  {
    ...movementFields,
    description: Type.String({ description: 'For people.' }),
    debit: minorUnits('The amount debited, fee included.'),
    credit: minorUnits('The amount credited, fee deducted.'),
    metadata: Type.Optional(Type.Unsafe<unknown>({ description: 'The metadata of an inbound credit, unchanged.' })),
  },
  { title: 'StatementEntry' },
);

const WITHHELD = 'Minor units. Null where it would reveal a payment of a politically exposed person to the reader.';

const statement = Type.Object(
  {
    success: Type.Literal(true),
    subscriber_id: Type.String(),
    holder_name: Type.String(),
    account_number: Type.String({ description: 'Masked except for the last four digits.' }),
    currency: Type.String(),
    from: timestamp(),
    to: timestamp(),
    generated_at: timestamp(),
    archived_before: Type.Optional(
      timestamp(
        'Present if the period begins before this instant: earlier entries are archived, and opening_balance is the balance at this instant.',
      ),
    ),
    opening_balance: integerOrNull(WITHHELD),
    opening_balance_formatted: textOrNull(),
    closing_balance: integerOrNull('opening_balance + total_credits - total_debits; null like it.'),
    closing_balance_formatted: textOrNull(),
    closing_held: integerOrNull('What authorised payments reserved of the closing balance. Minor units; null like it.'),
    total_credits: integerOrNull(WITHHELD),
    total_debits: integerOrNull(WITHHELD),
    entry_count: Type.Integer(),
    entries: Type.Array(entry),
  },
  { title: 'Statement' },
);

/** One reply in three formats; CSV and PDF are sent as files. */
export const statementReply = {
  description: 'The statement, in the requested format.',
  content: {
    'application/json': { schema: statement },
    'text/csv': { schema: Type.String() },
    'application/pdf': { schema: pdfFile('the entries with the opening and the closing balance.') },
  },
} as unknown as TSchema;
