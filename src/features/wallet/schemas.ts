// Request and response schemas for the wallet.
import { Type } from 'typebox';
import { description, idField, minorUnits, phoneNumber, textOrNull } from '../../http/fields.ts';
import {
  amountField,
  balanceAfter,
  keyRequestIdField,
  paymentReply,
  requestIdField,
} from '../../http/payment-endpoint.ts';

/** Any text: a malformed PIN is refused later, with its own error code. */
const pin = () => Type.String({ description: 'Exactly 4 digits.' });

export const subscriberParams = Type.Object({ subscriber_id: Type.String({ minLength: 1 }) });
export const userParams = Type.Object({ user_id: Type.String({ minLength: 1 }) });
export const pinBody = Type.Object({ pin: pin() });

export const balanceReply = Type.Object(
  {
    success: Type.Literal(true),
    balance: minorUnits(),
    balance_formatted: Type.String({ description: 'Formatted for display: 1,234.56 SLE.' }),
    held: minorUnits('What authorised payments reserve. Minor units.'),
    available: minorUnits('balance - held. Minor units.'),
    available_formatted: Type.String({ description: 'Formatted for display.' }),
    currency: Type.String(),
    subscriber_id: Type.String(),
    last_transaction_at: textOrNull('ISO 8601, UTC; null before the first transaction.'),
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
  request_id: Type.Optional(keyRequestIdField(", except the funding partner's own key")),
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

export const fundReply = Type.Object({
  ...paymentReply.properties,
  balance: balanceAfter("Balance of the wallet after the payment. Absent for partners' keys."),
  partner_id: Type.String(),
  subscriber_id: Type.String(),
});
