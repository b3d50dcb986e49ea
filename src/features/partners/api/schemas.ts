// Request and response schemas for the signed partner endpoints.
import { type Static, Type } from 'typebox';
import { dayOrInstant } from '../../../http/date-range.ts';
import { description, phoneNumber } from '../../../http/fields.ts';
import { listReply } from '../../../http/paging.ts';
import { amountField, referenceField } from '../../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';
import { transaction } from '../../transactions/service.ts';

const success = Type.Literal(true);

/** Exactly one is required. This is checked later, for a clearer error message. */
const identifierFields = {
  phone_number: Type.Optional(phoneNumber()),
  card_serial: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  account_number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 32, description: "The 10 digits of a subscriber's account." }),
  ),
};
const namedBody = Type.Object(identifierFields);
/** The identifiers by which a partner can name a subscriber. */
export type IdentifierFields = Static<typeof namedBody>;

export const accountStatusBody = namedBody;
export const accountStatusReply = Type.Object({
  success,
  exists: Type.Boolean(),
  status: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'active, blocked or pending; null if there is no such account.',
  }),
});

export const cashInBody = Type.Object({
  ...identifierFields,
  amount: amountField(),
  reference: referenceField(),
  narration: Type.Optional(description()),
});
export type CashIn = Static<typeof cashInBody>;

export const cashInReply = Type.Object({
  success,
  transaction_id: Type.String(),
  reference: Type.String(),
  amount: Type.Integer({ description: 'Minor units.' }),
  currency: Type.String(),
});

const count = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 999_999_999_999_999,
    description,
    [ERROR_MESSAGE]: 'must be a whole number of 0 or more',
  });

export const historyBody = Type.Object({
  from: Type.Optional(dayOrInstant('The first day or instant')),
  to: Type.Optional(dayOrInstant('The last day or instant')),
  limit: Type.Optional(count('The page size: 50 by default, at most 100.')),
  offset: Type.Optional(count('The number of records to skip.')),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the previous page.' })),
});

const party = () =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null for a system account of the operator, and for a politically exposed person.',
  });
const partnerTransaction = Type.Object(
  { ...transaction.properties, counterparty: party(), payer_id: party(), payee_id: party() },
  { title: 'PartnerTransaction' },
);
export const historyReply = Type.Object({
  success,
  ...listReply('transactions', partnerTransaction).properties,
  total_is_minimum: Type.Optional(Type.Literal(true, { description: 'total_count is a lower bound.' })),
  next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null on the last page.' }),
});
