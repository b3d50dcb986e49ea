// Request and response schemas for the transaction history.
import { type TSchema, Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import { idField, integerOrNull, minorUnits, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { MOVEMENT_GROUPS, type MovementGroup } from '../../ledger/movement-groups.ts';
import { ALL_TYPES } from '../../ledger/movement-types.ts';

/** The ledger holds completed movements only; the other values are statuses of inbound credits. */
const STATUSES = ['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED', 'PROCESSING'];

/** Filters of an account's history, in addition to limit and offset. */
export const historyFilters = {
  type: Type.Optional(Type.Enum(ALL_TYPES)),
  status: Type.Optional(Type.Enum(STATUSES)),
  from: Type.Optional(dayOrInstant('The first day or instant')),
  to: Type.Optional(dayOrInstant('The last day or instant')),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the previous page.' })),
};

const slipText = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));
const amountBound = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      description,
      [ERROR_MESSAGE]: 'must be a whole number of minor units',
    }),
  );

const group = Type.Optional(
  Type.Enum(Object.keys(MOVEMENT_GROUPS) as MovementGroup[], {
    description:
      "What the metrics of the same name count in reports: customers' payments, or their refunds and reversals.",
  }),
);
const parties = {
  agent_id: Type.Optional(idField('an agent')),
  processor_id: Type.Optional(idField('a processor')),
  partner_id: Type.Optional(idField('a partner')),
};
const amountBounds = {
  min_amount: amountBound('The lowest amount, without fees, in minor units.'),
  max_amount: amountBound('The highest amount, without fees, in minor units.'),
};

export const transactionsQuery = listQuery({
  subscriber_id: Type.Optional(idField('a subscriber')),
  ...historyFilters,
  group,
  ...parties,
  transaction_id: Type.Optional(idField('a transaction')),
  reference: slipText("The partner's reference."),
  request_id: slipText(
    'The request id; several callers may have used the same one. It is found for 90 days, or as long as the operator keeps it.',
  ),
  authorization_code: slipText("The six characters on the card payment's receipt, ignoring case."),
  ...amountBounds,
});

export const sumsQuery = Type.Object({
  subscriber_id: Type.Optional(idField('a subscriber')),
  type: historyFilters.type,
  group,
  from: historyFilters.from,
  to: historyFilters.to,
  ...parties,
  ...amountBounds,
});

export const sumsReply = Type.Object(
  {
    count: Type.Integer({ description: 'The number of transactions.' }),
    amount: minorUnits('The sum of the amounts, without fees.'),
    fee: minorUnits("The sum of the fees: the account's, or all of them in a list of all accounts."),
    is_minimum: Type.Optional(
      Type.Literal(true, { description: 'Present if summing everything would take too long: there is more.' }),
    ),
  },
  { title: 'TransactionSums' },
);

const OF_A_PEP =
  'null for a politically exposed person on the other side, and for every customer if the caller is the other party.';

/** The fields of a movement that histories and statements share. */
export const movementFields = {
  transaction_id: Type.String(),
  type: Type.String(),
  direction: Type.Unsafe<string | null>({ enum: ['debit', 'credit', null] }),
  amount: minorUnits(),
  fee: minorUnits('The fee charged to this account; the sum of all fees in a list of all accounts.'),
  commission: integerOrNull(
    'The commission the movement paid to this account; null in a list of all accounts. The balance changes by the ' +
      'amount, less the fee, plus the commission.',
  ),
  balance_after: integerOrNull(),
  counterparty: textOrNull(`The id of the other side; ${OF_A_PEP}`),
  payer_id: textOrNull(OF_A_PEP),
  payee_id: textOrNull(OF_A_PEP),
  narration: textOrNull(),
  status: Type.String(),
  request_id: textOrNull(
    'The id that the caller sent for this payment. Null if it sent none, and where the caller is the other party.',
  ),
  reference: textOrNull(),
  created_at: timestamp(),
};
const metadata = Type.Unsafe<unknown>({ description: 'The metadata that the caller sent, unchanged; null if none.' });
const author = {
  actor_type: Type.Optional(textOrNull('user, subscriber, key, service, notification or system. For staff only.')),
  actor_id: Type.Optional(textOrNull('The user, customer, key or service that made the payment. For staff only.')),
  actor_name: Type.Optional(textOrNull('The current name of that user or key. For staff only.')),
};
const OR_HIDDEN = 'Null where a politically exposed person is not shown to the reader.';
const names = {
  payer_name: Type.Optional(textOrNull(`The payer's name. In lists, and for users only. ${OR_HIDDEN}`)),
  payee_name: Type.Optional(textOrNull(`The payee's name. In lists, and for users only. ${OR_HIDDEN}`)),
};
export const transaction = Type.Object({ ...movementFields, ...names, ...author, metadata }, { title: 'Transaction' });

export const transactionsReply = Type.Object({
  ...listReply('transactions', transaction).properties,
  total_is_minimum: Type.Optional(
    Type.Literal(true, {
      description:
        'Present if total_count is a lower bound because an exact count would take too long. With a filter by amount, ' +
        'reference, request id or authorization code, it counts the records up to this page.',
    }),
  ),
  next_cursor: textOrNull(
    'The cursor of the next page; null on the last one. A page may have fewer records than limit if matches are rare.',
  ),
  archived_before: Type.Optional(
    timestamp(
      'Present if the period begins before this instant: earlier transactions are archived, and neither listed nor counted.',
    ),
  ),
});

/** The reply of a history with totals. */
export function summedReply<Totals extends TSchema>(totals: Totals) {
  return Type.Object({
    ...transactionsReply.properties,
    totals: Type.Union([totals, Type.Null()], {
      description:
        "Totals of all matching records, not only this page's. Null on pages read with a cursor, and with totals_pending.",
    }),
    totals_pending: Type.Optional(
      Type.Literal(true, {
        description: 'Present while the totals are still being computed. Request them again in a moment.',
      }),
    ),
  });
}
