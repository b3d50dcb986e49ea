// The additional fields of refusals, by code. The OpenAPI document and docs/errors.md list them.
import { type TSchema, Type } from 'typebox';
import { type Code, ERROR_CODE } from '../kernel/refusal.ts';
import { minorUnits, textOrNull, timestamp } from './fields.ts';

const attemptsRemaining = () =>
  Type.Integer({ minimum: 0, description: 'Attempts left before the lock. Absent if the value was not checked.' });
const shortfall = () => ({
  available: minorUnits('What is available. Minor units.'),
  required: minorUnits('What the request needs. Minor units.'),
});

export const REFUSAL_FIELDS: Partial<Record<Code, Record<string, TSchema>>> = {
  INVALID_PIN: { attempts_remaining: attemptsRemaining() },
  INVALID_OTP: { attempts_remaining: attemptsRemaining() },
  INVALID_SECOND_FACTOR: { attempts_remaining: attemptsRemaining() },
  SECOND_FACTOR_REQUIRED: {
    challenge: Type.String({ description: 'For POST /admin/login/second-factor; valid for 5 minutes.' }),
    methods: Type.Array(Type.String(), { description: 'The methods that the user has enrolled.' }),
    webauthn: Type.Object({}, { additionalProperties: true, description: 'Options for navigator.credentials.get.' }),
  },
  ARCHIVED: { archived_before: timestamp('Transactions before this instant are archived.') },
  ACCOUNT_LOCKED: { locked_until: textOrNull('ISO 8601, UTC. Null: until the PIN is reset.') },
  NEW_DEVICE: { restricted_until: timestamp('When the device can do what other devices can.') },
  INSUFFICIENT_FLOAT: shortfall(),
  DAILY_LIMIT_EXCEEDED: shortfall(),
  KEY_LIMIT_EXCEEDED: shortfall(),
  TREASURY_LIMIT_EXCEEDED: shortfall(),
  FLOAT_NOT_EMPTY: { balance: minorUnits('What the float holds. Minor units.') },
  KYC_REQUIREMENT_MISSING: { missing: Type.Array(Type.String(), { description: 'The fields that are not on file.' }) },
  AMOUNT_MISMATCH: { required: minorUnits('What the payment request asks for. Minor units.') },
  REFUND_EXCEEDS_PAYMENT: { remaining: minorUnits('What can still be refunded. Minor units.') },
  SETTLEMENT_EXCEEDS_OUTSTANDING: { partner_outstanding: minorUnits('What the partner owes. Minor units.') },
  ALREADY_CLOSED: {
    close_id: Type.String({ description: 'The existing close.' }),
  },
  CLOSE_OUT_OF_ORDER: { next_date: Type.String({ description: 'The next day to close.' }) },
  DAY_NOT_OVER: { closable_from: timestamp() },
  EXECUTION_REFUSED: {
    approval_id: Type.String({ description: 'The failed approval.' }),
    refusal_code: Type.Unsafe<string>(ERROR_CODE),
  },
  BULK_PAYMENT_EXISTS: {
    bulk_payment_id: Type.String({ description: 'The first bulk payment with this file.' }),
    bulk_status: Type.String({ description: 'The state of the bulk payment.' }),
  },
  BULK_PAYMENT_STATE: { bulk_status: Type.String({ description: 'The state of the bulk payment.' }) },
  BULK_ROW_LIMIT_EXCEEDED: {
    allowed_rows: Type.Integer({ minimum: 0, description: 'How many more rows can be checked now.' }),
  },
  ALREADY_MATCHED: { matched_items: Type.Array(Type.String(), { description: 'The ids of the items concerned.' }) },
  MATCH_DOES_NOT_BALANCE: {
    bank_amount: minorUnits('The sum of the bank entries. Minor units.'),
    books_amount: minorUnits('The sum of the transactions. Minor units.'),
  },
  QUOTE_CHANGED: {
    quote: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The new quote, as POST /me/quote returns it; for a cash-out code, its new price.',
      },
    ),
  },
  CASE_EXISTS: {
    case_id: Type.String({ description: 'The open case.' }),
    case_number: Type.String({ description: 'Its number.' }),
  },
  NOT_ERASABLE: {
    reasons: Type.Array(Type.String(), {
      description: 'balance, hold, open_case, open_alert, open_approval, open_payment or retention.',
    }),
    retained_until: textOrNull('Until when the law requires the data. ISO 8601, UTC. Null: it no longer does.'),
  },
  COMPLIANCE_BLOCKED: { alert_id: Type.String({ description: 'The alert that was raised.' }) },
};

/** All fields of these codes. Each is optional, because a reply has only the fields of its own code. */
export function fieldsOfCodes(codes: readonly Code[]): Record<string, TSchema> {
  const fields: Record<string, TSchema> = {};
  for (const code of new Set(codes)) {
    for (const [name, schema] of Object.entries(REFUSAL_FIELDS[code] ?? {})) {
      const { description = '' } = (fields[name] ?? {}) as { description?: string };
      const { description: text, title } = schema as { description?: string; title?: string };
      const combined = description === '' ? `${code}: ${text}` : `${code}, ${description}`;
      fields[name] = Type.Optional(title ? schema : Type.Unsafe({ ...schema, description: combined }));
    }
  }
  return fields;
}
