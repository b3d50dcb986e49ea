// Request and response schemas for the inbound API and of reversals.
import { type Static, Type } from 'typebox';
import { description, jsonText, minorUnits, narration, textOrNull, timestamp } from '../../../http/fields.ts';
import { amountField, balanceAfter, referenceField, requestIdField } from '../../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../../http/validation.ts';

/** Exactly one is required. This is checked later, for a clearer error message. */
const identifierFields = {
  account_number: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  msisdn: Type.Optional(
    Type.String({
      pattern: '^\\+[1-9]\\d{6,14}$',
      description: 'E.164.',
      [ERROR_MESSAGE]: 'must be a phone number in E.164, such as +23276123456',
    }),
  ),
  card_serial: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};
const namedBody = Type.Object(identifierFields);
export type IdentifierFields = Static<typeof namedBody>;

const currency = Type.Optional(
  Type.String({ minLength: 1, maxLength: 16, description: 'SLE, which is also the default.' }),
);

export const enquiryBody = Type.Object({ ...identifierFields, currency });
export type EnquiryBody = Static<typeof enquiryBody>;

const payer = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    account_masked: Type.Optional(Type.String({ maxLength: 64 })),
    bank_code: Type.Optional(Type.String({ maxLength: 32 })),
  },
  { title: 'Payer', description: 'The sender of the money; strongly recommended.' },
);
export type Payer = Static<typeof payer>;

const NO_POINT = '[\\x21-\\x2d\\x2f-\\x7e]';
// The reference is part of the URL path of the status request, where . and .. would be resolved as segments.
const reference = {
  ...referenceField(),
  pattern: `^(?:${NO_POINT}[\\x21-\\x7e]{0,127}|\\.${NO_POINT}[\\x21-\\x7e]{0,126}|\\.\\.[\\x21-\\x7e]{1,126})$`,
  [ERROR_MESSAGE]: 'must be 1 to 128 visible ASCII characters, and not . or ..',
};

export const creditBody = Type.Object({
  reference,
  amount: amountField(),
  currency,
  ...identifierFields,
  beneficiary_ref: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'From a name enquiry for the same beneficiary.' }),
  ),
  narration: Type.Optional(description()),
  payer: Type.Optional(payer),
  metadata: Type.Optional(jsonText('A JSON object of at most 16,384 characters, shown unchanged on the statement.')),
});
export type CreditBody = Static<typeof creditBody>;

const account_name = Type.String({ description: 'First name and last initial.' });

const done = { success: Type.Literal(true), message: Type.String() };

export const enquiryReply = Type.Object({
  ...done,
  code: Type.Literal('OK'),
  data: Type.Object({
    account_number: Type.String(),
    account_name,
    beneficiary_ref: Type.String({ description: 'Valid for 15 minutes.' }),
    status: Type.String({ description: 'active, blocked or pending.' }),
    kyc_level: Type.Integer(),
    currency: Type.String(),
    can_credit: Type.Boolean({ description: 'False: do not debit your customer.' }),
    max_creditable: minorUnits('The largest credit possible now; 0 if none is. Minor units.'),
  }),
});

const beneficiary = Type.Object({ account_number: Type.String(), account_name }, { title: 'Beneficiary' });

const record = Type.Object(
  {
    inbound_id: Type.String(),
    reference: Type.String(),
    transaction_id: textOrNull('Null if no money moved.'),
    status: Type.Enum(['COMPLETED', 'REJECTED', 'FAILED', 'REVERSED', 'PROCESSING'], {
      description: 'PROCESSING is reserved: version 1 always returns a final status.',
    }),
    operation: Type.Literal('credit'),
    amount: minorUnits(),
    fee: minorUnits(),
    net_credited: minorUnits('The amount credited to the wallet. Minor units.'),
    currency: Type.String(),
    beneficiary: Type.Union([beneficiary, Type.Null()], {
      description: 'Null if no beneficiary was found.',
    }),
    partner_outstanding: minorUnits('What the partner owed after the credit. Minor units.'),
    completed_at: timestamp(),
    failure_code: Type.Optional(Type.String({ description: 'Present if the credit was rejected or failed.' })),
  },
  { title: 'InboundTransaction' },
);
export type InboundView = Static<typeof record>;

export const creditReply = Type.Object({ ...done, code: Type.Literal('COMPLETED'), data: record });
export const statusReply = Type.Object({ ...done, code: Type.Literal('OK'), data: record });
export const referenceParams = Type.Object({ reference: Type.String({ minLength: 1 }) });

export const reversalParams = Type.Object({ inbound_id: Type.String({ minLength: 1 }) });
export const reversalBody = Type.Object({
  reason: narration('Why; sent to the partner.'),
  allow_negative: Type.Optional(
    Type.Boolean({ description: 'Whether the balance may become negative if the money was spent. Default: false.' }),
  ),
  request_id: Type.Optional(requestIdField()),
});
export type ReversalBody = Static<typeof reversalBody>;

export const reversalReply = Type.Object({
  ...done,
  inbound_id: Type.String(),
  partner_id: Type.String(),
  reference: Type.String(),
  status: Type.Literal('REVERSED'),
  transaction_id: Type.String({ description: "The reversal's transaction." }),
  original_transaction_id: Type.String(),
  request_id: textOrNull('As sent.'),
  subscriber_id: Type.String(),
  amount: minorUnits(),
  currency: Type.String(),
  reason: Type.String(),
  balance: balanceAfter('The balance of the wallet after the reversal. Minor units.'),
  partner_outstanding: balanceAfter('What the partner owes after the reversal. Minor units.'),
  created_at: timestamp(),
});
