// Request and response schemas for payment requests.
import { Type } from 'typebox';
import { dayOrInstant } from '../../http/date-range.ts';
import {
  description,
  idField,
  integerOrNull,
  jsonText,
  line,
  phoneNumber,
  pin,
  textOrNull,
  timestamp,
} from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { amountField, paymentReply, requestIdField, signedRequestIdField } from '../../http/payment-endpoint.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';
import { STATUSES } from './tables.ts';
import { FAILURES } from './view.ts';

const MIN_SECONDS = 60;
const MAX_SECONDS = 31_536_000;
const REFERENCE = "The payee's own reference, such as an order number.";

const asked = {
  amount: Type.Optional(amountField('Minor units. Absent or null: the payer chooses.')),
  description: Type.Optional(description()),
  reference: Type.Optional(line(100, `${REFERENCE} The payer sees it.`)),
  payer_phone: Type.Optional(phoneNumber()),
  single_use: Type.Optional(
    Type.Boolean({ description: 'True by default. False: many can pay, each any number of times.' }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: MIN_SECONDS,
      maximum: MAX_SECONDS,
      description: 'Seconds until it expires: 3,600 by default.',
      [ERROR_MESSAGE]: 'must be a whole number of seconds from 60 to 31,536,000',
    }),
  ),
  metadata: Type.Optional(
    jsonText('Any JSON value of at most 16 KiB, returned unchanged and stored with the payments.'),
  ),
  request_id: Type.Optional(requestIdField()),
};

export const createBody = Type.Object(
  {
    processor_id: Type.Optional(
      idField("the processor that is paid. By default the credential's own; other callers must send it"),
    ),
    ...asked,
    return_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        pattern: '^https?://[^\\s]+$',
        description:
          'Where the page of the request returns the payer, with `payment_request_id`: https, on a return host of the processor. In development also http://127.0.0.1.',
        [ERROR_MESSAGE]: 'must be an https URL of at most 2048 characters',
      }),
    ),
  },
  { title: 'NewPaymentRequest' },
);

const refusal = Type.Object(
  {
    payer_id: Type.String({ description: 'The customer who tried.' }),
    code: Type.String({ description: 'Why the last attempt was refused.' }),
    count: Type.Integer({ description: 'Refused attempts so far.' }),
    at: timestamp(),
  },
  { title: 'PaymentRequestRefusal' },
);

const fields = {
  id: Type.String(),
  status: Type.Enum(STATUSES, { description: 'A request that many can pay stays open and counts payments.' }),
  amount: integerOrNull('Minor units. Null: the payer chooses.'),
  currency: Type.String(),
  payee_name: Type.String({ description: 'The registered name, which the payer sees.' }),
  processor_id: textOrNull(),
  subscriber_id: textOrNull('Of a customer who asks another.'),
  description: Type.String({ description: 'What the payment is for.' }),
  reference: textOrNull(REFERENCE),
  payer_phone: textOrNull('E.164.'),
  request_id: textOrNull('As the payee sent it; null if none was sent.'),
  code: Type.String({ description: 'Ten digits that the payer types.' }),
  ussd: textOrNull('What the payer dials; null if the operator has no USSD service code.'),
  qr: Type.String({
    description: 'The text of the QR code (EMVCo). A reader trusts only the code in it, never the amount.',
  }),
  url: Type.String({ description: 'The page of the request. Whoever has it can read the request.' }),
  single_use: Type.Boolean({ description: 'False: it is a link that many can pay.' }),
  return_url: textOrNull('Where the page returns the payer; null if none was sent.'),
  metadata: Type.Optional(Type.Unsafe<unknown>({ description: 'As sent; absent if none was.' })),
  failure: Type.Unsafe<string | null>({
    enum: [...FAILURES, null],
    description: 'Why it is not paid: declined, expired, or a payment failed. The payer learns the exact reason.',
  }),
  payment_count: Type.Integer({ description: 'The number of payments.' }),
  transaction_ids: Type.Array(Type.String(), { description: 'The newest ten payments.' }),
  expires_at: timestamp(),
  ended_at: textOrNull('When it was paid, declined, cancelled or expired: ISO 8601, UTC. Null while it is open.'),
  created_at: timestamp(),
};
/** The parties' ids, and what only the payee and staff see. */
const NOT_FOR_PAYERS = [
  ...(['processor_id', 'subscriber_id', 'payer_phone', 'metadata', 'request_id'] as const),
  ...(['failure', 'payment_count', 'ended_at', 'created_at'] as const),
];

export const paymentRequest = Type.Object(fields, { title: 'PaymentRequest' });
const detailed = Type.Object(
  { ...fields, refusals: Type.Optional(Type.Array(refusal, { description: 'Refused payers. For staff only.' })) },
  { title: 'PaymentRequestDetails' },
);

/** What the payer sees of it. */
export const incomingRequest = Type.Omit(paymentRequest, NOT_FOR_PAYERS, { title: 'IncomingPaymentRequest' });

/** What a customer sends who asks another. */
export const customerRequest = Type.Object({
  ...{ amount: asked.amount, description: asked.description, payer_phone: asked.payer_phone },
  ...{ single_use: asked.single_use, expires_in: asked.expires_in, request_id: signedRequestIdField() },
});

export const changedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), payment_request: paymentRequest },
  { title: 'ChangedPaymentRequest' },
);
export const requestReply = Type.Object({ payment_request: detailed });
export const requestsQuery = listQuery({
  processor_id: Type.Optional(idField('a processor')),
  subscriber_id: Type.Optional(idField('a subscriber who asks')),
  status: Type.Optional(Type.Enum(STATUSES, { description: 'Only requests in this state.' })),
  reference: Type.Optional(line(100, REFERENCE)),
  payer_phone: Type.Optional(phoneNumber()),
  from: Type.Optional(dayOrInstant('The first day or instant of creation')),
  to: Type.Optional(dayOrInstant('The last day or instant of creation')),
});
export const requestsReply = listReply('payment_requests', paymentRequest);

const hosts = Type.Array(Type.String({ maxLength: 253 }), {
  maxItems: 20,
  description: 'Hosts to which pages of requests may return payers.',
});
export const returnHostsBody = Type.Object({
  return_hosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 20,
    description: 'Hosts such as `shop.example.com`, with a port unless it is 443. They replace the earlier ones.',
    [ERROR_MESSAGE]: 'must be a list of at most 20 hosts',
  }),
});
export const returnHostsReply = Type.Object({ return_hosts: hosts }, { title: 'ReturnHosts' });
export const returnHostsChangedReply = Type.Object(
  { success: Type.Literal(true), message: Type.String(), return_hosts: hosts },
  { title: 'ChangedReturnHosts' },
);

export const labCreateBody = Type.Object({ subscriber_id: idField('the subscriber who asks'), ...asked });
export const labConfirmBody = Type.Object({
  payer_id: idField('the subscriber who pays'),
  amount: Type.Optional(amountField('Minor units. Required if the request leaves it to the payer.')),
  pin: pin(),
  request_id: Type.Optional(requestIdField()),
});
export const labConfirmReply = Type.Object(
  { ...paymentReply.properties, payment_request_id: Type.String({ description: 'The request that was paid.' }) },
  { title: 'PaidPaymentRequest' },
);
export const labDeclineBody = Type.Object({ payer_id: idField('the subscriber who declines') });
export const labDeclineReply = Type.Object({ success: Type.Literal(true), message: Type.String() });
