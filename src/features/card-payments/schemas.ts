// Request and response schemas for card payments.
import { Type } from 'typebox';
import {
  idField,
  jsonText,
  line,
  minorUnits,
  narration,
  phoneNumber,
  pin,
  textOrNull,
  timestamp,
} from '../../http/fields.ts';
import { amountField, requestIdField, signedRequestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { cardSchema } from '../cards/service.ts';

const cardSerial = () => Type.String({ minLength: 1, maxLength: 128 });

const encryptedPin = () =>
  Type.String({
    maxLength: 2_048,
    pattern: '^[\\w-]+(?:\\.[\\w-]*){4}$',
    description:
      'A compact JWE (alg dir, enc A256GCM) of {"pin", "card_serial"}, under HKDF-SHA256 of the secret that signs ' +
      '(no salt, info pin-encryption-v1, 32 bytes).',
    [ERROR_MESSAGE]: 'must be a compact JWE of at most 2,048 characters',
  });

const payment = {
  request_id: signedRequestIdField(),
  merchant_id: idField('a merchant'),
  processor_id: idField('a processor'),
  card_serial: cardSerial(),
  amount: amountField(),
  encrypted_pin: Type.Optional(encryptedPin()),
  pin: Type.Optional(Type.String({ ...pin(), description: 'Instead of encrypted_pin, with svc_test_ keys only.' })),
  currency: Type.Optional(Type.Literal(CURRENCY)),
  metadata: Type.Optional(jsonText('Any JSON value of at most 16 KiB, stored unchanged.')),
  capture: Type.Optional(
    Type.Boolean({
      description:
        'False only authorises the payment: the amount is reserved for 7 days, until it is captured, voided or expires.',
    }),
  ),
};

export const inAppPaymentBody = Type.Object(payment, { title: 'InAppPaymentRequest' });
export const posPaymentBody = Type.Object({ ...payment, terminal_id: line(64) }, { title: 'TerminalPaymentRequest' });

const receiptField = () => Type.String({ description: 'Lines of at most 32 characters, ready to print.' });

const approved = {
  success: Type.Literal(true),
  transaction_id: Type.String(),
  status: Type.Enum(['APPROVED', 'AUTHORIZED'], {
    description: 'AUTHORIZED with `capture: false`: nothing is paid yet.',
  }),
  authorization_code: Type.String({ description: 'Six characters, for the receipt.' }),
  amount: minorUnits(),
  fee: minorUnits("The processor's fee, deducted from what it received."),
  currency: Type.String(),
  merchant_id: Type.String(),
  processor_id: Type.String(),
  card_serial: Type.String(),
  receipt: receiptField(),
  expires_at: Type.Optional(timestamp('Until when an authorised payment can be captured.')),
  created_at: timestamp(),
};
export const posPaymentReply = Type.Object(approved, { title: 'CardPayment' });
export const inAppPaymentReply = Type.Object(
  {
    ...approved,
    metadata: Type.Optional(Type.Unsafe<unknown>({ description: 'As sent; absent if none was.' })),
  },
  { title: 'InAppPayment' },
);

export const refundBody = Type.Object(
  {
    request_id: signedRequestIdField(),
    transaction_id: idField('a payment'),
    amount: Type.Optional(amountField()),
    reason: Type.Optional(narration('Why; shown in the history of both sides.')),
  },
  { title: 'RefundRequest' },
);

export const authorizationParams = Type.Object({ transaction_id: idField('an authorised payment') });

export const captureBody = Type.Object(
  {
    request_id: signedRequestIdField(),
    amount: Type.Optional(amountField('At most what was authorised; by default all of it.')),
  },
  { title: 'CaptureRequest' },
);

export const captureReply = Type.Object(
  {
    success: Type.Literal(true),
    transaction_id: Type.String({ description: 'The payment, which can be refunded.' }),
    authorization_transaction_id: Type.String({ description: 'As sent in the path.' }),
    status: Type.Literal('CAPTURED', { description: 'Always CAPTURED.' }),
    authorization_code: Type.String(),
    amount: minorUnits(),
    released: minorUnits('What was authorised and not captured; it is available to the customer again.'),
    fee: minorUnits("The processor's fee on the captured amount, at the price of the authorisation."),
    currency: Type.String(),
    receipt: receiptField(),
    created_at: timestamp(),
  },
  { title: 'Capture' },
);

export const voidBody = Type.Object({ request_id: signedRequestIdField() }, { title: 'VoidRequest' });

export const voidReply = Type.Object(
  {
    success: Type.Literal(true),
    transaction_id: Type.String({ description: 'The authorisation.' }),
    status: Type.Literal('VOIDED', { description: 'Always VOIDED.' }),
    amount: minorUnits('What is available to the customer again, apart from a fee.'),
    currency: Type.String(),
    voided_at: timestamp(),
  },
  { title: 'Void' },
);

export const merchantRefundBody = Type.Object(
  {
    ...refundBody.properties,
    request_id: Type.Optional({
      ...requestIdField(),
      description: 'Required; makes retries safe. The header X-Request-ID is an alternative.',
    }),
  },
  { title: 'MerchantRefundRequest' },
);

export const refundReply = Type.Object(
  {
    success: Type.Literal(true),
    transaction_id: Type.String(),
    original_transaction_id: Type.String(),
    amount: minorUnits(),
    commission_returned: Type.Optional(
      minorUnits('The commission that the customer earned on the payment, deducted from the refund.'),
    ),
    refunded_total: minorUnits('The sum of all refunds of the payment.'),
    remaining: minorUnits('The amount that can still be refunded.'),
    status: Type.Enum(['PARTIALLY_REFUNDED', 'REFUNDED']),
  },
  { title: 'Refund' },
);

export const cardBody = Type.Object({ card_serial: cardSerial() }, { title: 'CardRequest' });

export const verifyCardReply = Type.Object(
  {
    success: Type.Literal(true),
    valid: Type.Boolean({ description: 'Whether the card can pay, apart from PIN and balance.' }),
    status: Type.Enum(['active', 'blocked', 'unassigned']),
    holder_name: textOrNull('First name and initial. Null if the card is not valid, like the balance fields.'),
    balance: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'What is available, without what authorised payments hold. Minor units. Null for every holder while VERIFY_CARD_BALANCE is off, and for the rest of the UTC day once the processor (or a key without one) has looked up 300 cards and accounts that did not pay.',
    }),
    balance_formatted: textOrNull(),
  },
  { title: 'CardVerification' },
);

export const accountBody = Type.Object(
  {
    account_number: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    phone_number: Type.Optional(phoneNumber()),
  },
  { title: 'AccountRequest' },
);

export const verifyAccountReply = Type.Object(
  {
    success: Type.Literal(true),
    exists: Type.Boolean(),
    status: Type.Unsafe<string | null>({ enum: ['active', 'blocked', 'pending', null] }),
    holder_name: textOrNull('First name and initial.'),
  },
  { title: 'AccountVerification' },
);

const holder = {
  id: Type.String(),
  name: Type.String({ description: 'First name and initial.' }),
  phone_number: Type.String({ description: 'Masked except for the last four digits.' }),
  account_number: Type.String({ description: 'Masked except for the last four digits.' }),
  status: Type.String(),
  kyc_level: Type.Integer(),
};

const recentPayment = Type.Object(
  {
    transaction_id: Type.String(),
    authorization_code: Type.String(),
    amount: minorUnits(),
    refunded_total: minorUnits(),
    processor_id: Type.String(),
    merchant_id: Type.String(),
    terminal_id: textOrNull(),
    channel: Type.Enum(['pos', 'in_app']),
    created_at: timestamp(),
  },
  { title: 'RecentPayment' },
);

export const lookUpCardReply = Type.Object(
  {
    success: Type.Literal(true),
    card: cardSchema,
    subscriber: Type.Union([Type.Object(holder, { title: 'CardHolder' }), Type.Null()]),
    recent_payments: Type.Array(recentPayment, {
      description: "The last ten with this card, newest first: to the key's processor, or made by an operator's key.",
    }),
  },
  { title: 'CardLookup' },
);
