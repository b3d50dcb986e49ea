// Request and response schemas for the cash-in notification.
import { type Static, Type } from 'typebox';
import { phoneNumber } from '../../../http/fields.ts';
import { amountField, referenceField } from '../../../http/payment-endpoint.ts';

export const notificationBody = Type.Object({
  card_serial: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "One of the subscriber's cards; its wallet is credited.",
  }),
  phone_number: Type.Optional(phoneNumber()),
  amount: amountField(),
  reference: Type.Optional(referenceField()),
});
export type Notification = Static<typeof notificationBody>;

export const notificationReply = Type.Object({
  success: Type.Literal(true),
  transaction_id: Type.String(),
  message: Type.String(),
  new_balance: Type.Integer({ description: "The wallet's balance after the cash-in. Minor units." }),
  duplicate: Type.Optional(
    Type.Literal(true, { description: 'The cash-in was already received: this notification moved no money.' }),
  ),
});
