// Schemas for the payment page.
import { type Static, type TSchema, Type } from 'typebox';
import { integerOrNull, phoneNumber, textOrNull, timestamp } from '../../http/fields.ts';
import { type PayerView, STATUSES } from '../payment-requests/service.ts';

export const paymentParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128, description: "The last part of the payment request's url." }),
});

export const pageQuery = Type.Object({
  lang: Type.Optional(Type.String({ maxLength: 16, description: 'The language of the page: en or kri.' })),
});

export const noticeBody = Type.Object({ phone_number: phoneNumber() });

const asked = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(STATUSES, {
      description: 'A request that many can pay stays open.',
    }),
    amount: integerOrNull('Minor units. Null: the payer chooses.'),
    currency: Type.String(),
    payee_name: Type.String({ description: 'The registered name; of a customer, first name and initial.' }),
    description: Type.String({ description: 'What the payment is for.' }),
    reference: textOrNull("The payee's."),
    code: Type.String({ description: 'Ten digits that the payer types.' }),
    ussd: textOrNull('What the payer dials; null if the operator has no USSD service code.'),
    qr: Type.String({ description: 'The text of the QR code (EMVCo).' }),
    url: Type.String({ description: 'The page.' }),
    single_use: Type.Boolean({ description: 'False: many can pay.' }),
    return_url: textOrNull('Where the page returns the payer, with `payment_request_id`.'),
    receipt_url: textOrNull('Once it is paid; null for a request that many can pay.'),
    expires_at: timestamp('When it can no longer be paid.'),
  },
  { title: 'AskedPayment' },
);

const reply = Type.Object({ payment_request: asked });

/** Programs get JSON; a browser gets a page. */
export const pageReplySchema = {
  description: 'The payment request, or a page for browsers (`Accept: text/html`).',
  content: {
    'application/json': { schema: reply },
    'text/html': { schema: Type.String({ description: 'A page for people.' }) },
  },
} as unknown as TSchema;

export const backToPage = Type.Null({ description: 'For browsers: back to the page, which says what became of it.' });
export const noticeReply = Type.Object({ success: Type.Literal(true), message: Type.String() });

export function askedJson(view: PayerView, receiptUrl: string | null): Static<typeof reply> {
  const { transaction_ids: _transactions, ...rest } = view;
  return { payment_request: { ...rest, receipt_url: receiptUrl } };
}
