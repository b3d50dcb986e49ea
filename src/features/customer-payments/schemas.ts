// Request and response schemas for customers' payments.
import { Type } from 'typebox';
import { idField, line, minorUnits, phoneNumber, pin, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, paymentReply, signedRequestIdField } from '../../http/payment-endpoint.ts';
import {
  customerRequest,
  incomingRequest,
  STATUSES as REQUEST_STATUSES,
  paymentRequest as sentRequest,
} from '../payment-requests/service.ts';
import { CODE_STATUSES } from './cash-out-codes.ts';
import { QUOTE_TYPES } from './quote-token.ts';

const MAX_QR = 512;
const CODE = 'The ten digits of a payment request, or the token at the end of its link.';

export const quoteBody = Type.Object(
  {
    type: Type.Enum(QUOTE_TYPES, { description: 'What is to be paid. A QR code says itself whose it is.' }),
    phone_number: Type.Optional(phoneNumber()),
    account_number: Type.Optional(line(10, "The recipient's account number.")),
    merchant_number: Type.Optional(line(16, 'The seven digits of a merchant.')),
    payment_request_id: Type.Optional(idField('a payment request')),
    code: Type.Optional(line(64, CODE)),
    qr: Type.Optional(Type.String({ maxLength: MAX_QR, description: 'The text of a QR code as it was scanned.' })),
    amount: Type.Optional(amountField('Minor units. Not needed for a request that says how much it asks.')),
  },
  { title: 'NewQuote' },
);

export const quote = Type.Object(
  {
    id: Type.String({ description: 'For the payment: it pays once.' }),
    type: Type.Enum(QUOTE_TYPES, { description: 'Says which route pays it.' }),
    recipient_name: Type.String({
      description: "A person's first name and initial, or the merchant's registered name.",
    }),
    amount: minorUnits(),
    fee: minorUnits('On top of the amount. Minor units.'),
    total: minorUnits('What leaves the wallet. Minor units.'),
    currency: Type.String(),
    payment_request_id: textOrNull('The payment request that it pays.'),
    expires_at: timestamp('Five minutes from now, or the end of the payment request.'),
  },
  { title: 'CustomerQuote' },
);
export const quoteReply = Type.Object({ quote });

export const confirmBody = Type.Object(
  {
    quote_id: Type.String({ minLength: 1, maxLength: MAX_QR, description: 'From POST /me/quote, on this device.' }),
    pin: pin(),
    request_id: signedRequestIdField(),
  },
  { title: 'ConfirmedQuote' },
);
export const paidRequestReply = Type.Object(
  { ...paymentReply.properties, payment_request_id: Type.String({ description: 'The request that was paid.' }) },
  { title: 'ApprovedPaymentRequest' },
);

export const incomingReply = Type.Object({ payment_request: incomingRequest });
export const ownRequestReply = Type.Object({
  direction: Type.Enum(['incoming', 'sent'] as const, { description: 'Whether the customer is asked, or asks.' }),
  payment_request: Type.Union([sentRequest, incomingRequest]),
});
export const pageQuery = listQuery({});
export const sentQuery = listQuery({
  status: Type.Optional(Type.Enum(REQUEST_STATUSES, { description: 'Only requests in this state.' })),
});
export const incomingListReply = listReply('payment_requests', incomingRequest);
export const sentListReply = listReply('payment_requests', sentRequest);
export const codeParams = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64, description: CODE }) });

export const createBody = customerRequest;
export const changedRequestReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  payment_request: sentRequest,
});
export const doneReply = Type.Object({ success: Type.Literal(true), message: Type.String() });

const blockedPayee = Type.Object(
  {
    payment_request_id: Type.String({ description: 'The request by which the payee was blocked; it names the payee.' }),
    payee_name: Type.String({ description: 'The registered name, or first name and initial.' }),
    blocked_at: timestamp(),
  },
  { title: 'BlockedPayee' },
);
export const blockedReply = Type.Object({ blocked_payees: Type.Array(blockedPayee) });

export const priceQuery = Type.Object({
  amount: Type.String({ maxLength: 20, description: 'Minor units, which an agent pays out.' }),
});
export const priceReply = Type.Object(
  {
    amount: minorUnits(),
    fee: minorUnits(),
    total: minorUnits('What a code would hold. Minor units.'),
    currency: Type.String(),
  },
  { title: 'CashOutPrice' },
);
export const newCodeBody = Type.Object(
  {
    amount: amountField('Minor units, which an agent pays out.'),
    total: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'What you were shown that it costs. If it no longer does, the refusal QUOTE_CHANGED has the new price.',
      }),
    ),
    pin: pin(),
    request_id: signedRequestIdField(),
  },
  { title: 'NewCashOutCode' },
);
const codeFields = {
  id: Type.String({ description: 'Also the id of the hold.' }),
  status: Type.Enum(CODE_STATUSES, {
    description: 'active until an agent redeems it, it is cancelled or ended, or it expires.',
  }),
  amount: minorUnits('What an agent pays out. Minor units.'),
  fee: minorUnits(),
  total: minorUnits('What is held of the balance. Minor units.'),
  currency: Type.String(),
  transaction_id: textOrNull('The withdrawal, once it is redeemed.'),
  created_at: timestamp(),
  expires_at: timestamp(),
};
const cashOutCode = Type.Object(codeFields, { title: 'CashOutCode' });
export const newCodeReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  request_id: Type.String(),
  cash_out_code: Type.Object(
    {
      ...codeFields,
      code: textOrNull('Eight digits, shown only here. Null in a repeated request once the code has ended.'),
    },
    { title: 'IssuedCashOutCode' },
  ),
});
export const codesReply = listReply('cash_out_codes', cashOutCode);
export const codeReply = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  cash_out_code: cashOutCode,
});

export const redeemBody = Type.Object(
  {
    code: line(16, 'The eight digits that the customer shows.'),
    phone_number: phoneNumber(),
    pin: Type.String({
      maxLength: 64,
      description: "The agent's PIN. The customer's is never typed on the agent's phone.",
    }),
    agent_id: Type.Optional(idField('the agent, for API keys; by default your own')),
    identity_document: Type.Optional(
      Type.Object(
        {
          type: line(40, 'For example national_id, passport, voter_id or driving_licence.'),
          number: line(64, 'The number of the document.'),
          full_name: line(200, 'As on the document.'),
        },
        { description: 'Required for a code that was sent to a number without a wallet; it is stored encrypted.' },
      ),
    ),
    request_id: signedRequestIdField(),
  },
  { title: 'Redemption' },
);
export const redeemReply = Type.Object(
  { ...paymentReply.properties, agent_id: Type.String() },
  { title: 'RedeemedCashOutCode' },
);
