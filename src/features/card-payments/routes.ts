// Endpoints for card payments for terminals (/pos/…) and apps (/payment…), which share their operations.
import { type Call, type Endpoint, endpoint, okOrRefusal, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { executedReply, requestIdOf } from '../../http/payment-endpoint.ts';
import { withMember } from '../../kernel/json-text.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import type { Purchase } from './payment.ts';
import * as schemas from './schemas.ts';
import type { CardPayments } from './service.ts';

type Refusals = NonNullable<Endpoint['refusals']>;

const SIGNATURE_REFUSALS: Refusals = ['INVALID_SIGNATURE', 'EXPIRED_TIMESTAMP'];
const CHECK_REFUSALS: Refusals = [...SIGNATURE_REFUSALS, 'PROCESSOR_SUSPENDED', 'TOO_MANY_LOOKUPS'];
const PAYMENT_REFUSALS: Refusals = [
  ...SIGNATURE_REFUSALS,
  'INVALID_AMOUNT',
  'REQUEST_CONFLICT',
  'CARD_NOT_FOUND',
  'NOT_FOUND',
  'CARD_BLOCKED',
  'CARD_NOT_ASSIGNED',
  'SUBSCRIBER_BLOCKED',
  'TRANSACTION_TYPE_DISABLED',
  'PROCESSOR_SUSPENDED',
  'MERCHANT_MISMATCH',
  { code: 'INVALID_PIN', status: 400 },
  'INVALID_PIN',
  'ACCOUNT_LOCKED',
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_LOOKUPS',
  'COMPLIANCE_BLOCKED',
  'DAILY_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
];
const REFUND_REFUSALS: Refusals = [
  ...SIGNATURE_REFUSALS,
  'INVALID_AMOUNT',
  'REQUEST_CONFLICT',
  'NOT_FOUND',
  'ARCHIVED',
  'NOT_REFUNDABLE',
  'PROCESSOR_SUSPENDED',
  'SUBSCRIBER_BLOCKED',
  'COMPLIANCE_BLOCKED',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_BALANCE',
];

const ENDING_REFUSALS: Refusals = [
  ...SIGNATURE_REFUSALS,
  'REQUEST_CONFLICT',
  'NOT_FOUND',
  'PROCESSOR_SUSPENDED',
  'ALREADY_CAPTURED',
  'ALREADY_VOIDED',
  'EXPIRED',
];

export function paymentRoutes(payments: CardPayments): Endpoint[] {
  return [
    posPayment(payments),
    inAppPayment(payments),
    ...sharedRoutes('/pos', 'AtTerminal', payments),
    ...sharedRoutes('/payment', 'InApp', payments),
  ];
}

/** For the login of a merchant and for staff; terminals and apps sign their refunds. */
export function merchantRefundRoutes(payments: CardPayments): Endpoint[] {
  return [
    endpoint({
      id: 'refundFromProcessor',
      clientMethod: 'processors.refund',
      method: 'POST',
      path: '/processors/:id/refunds',
      permission: 'processors:refund',
      summary: 'Refund a card payment to a processor in full, in part, or for the remaining amount',
      description:
        "For a merchant's login and for finance; terminals and apps use POST /pos/refund. Without `amount` it refunds whatever remains. Several partial refunds are possible; together they never exceed the payment. If no reply arrives, send the same request again with the same `request_id`.",
      action: 'processor.refund',
      params: idParams,
      body: schemas.merchantRefundBody,
      replies: { 200: schemas.refundReply },
      refusals: REFUND_REFUSALS.filter((code) => !SIGNATURE_REFUSALS.includes(code)),
      handle: async (call) => {
        const { amount } = call.body;
        const requestId = requestIdOf(call);
        if (requestId instanceof Refusal) return requestId;
        if (requestId === null) return refuse('INVALID_REQUEST', 'request_id is required.');
        const outcome = await payments.refundOfProcessor(call, call.params.id, call.body, { amount, requestId });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
  ];
}

function posPayment(payments: CardPayments): Endpoint {
  return endpoint({
    id: 'payAtTerminal',
    clientMethod: 'terminal.pay',
    method: 'POST',
    path: '/pos/payment',
    permission: 'cards:pay',
    summary: 'Pay by card at a terminal',
    description:
      "Debits the card's wallet and credits the processor, less its fee. The PIN is sent as `encrypted_pin`; a plain `pin` is accepted with test keys only. If no reply arrives, send the same request again: the same `request_id` returns the first reply and moves no money.",
    hot: true,
    body: schemas.posPaymentBody,
    replies: { 200: schemas.posPaymentReply },
    refusals: PAYMENT_REFUSALS,
    handle: (call) => pay(call, payments, { channel: 'pos', terminalId: call.body.terminal_id }),
  });
}

function inAppPayment(payments: CardPayments): Endpoint {
  return endpoint({
    id: 'payInApp',
    clientMethod: 'inApp.pay',
    method: 'POST',
    path: '/payment',
    permission: 'cards:pay',
    summary: 'Pay by card in an app; metadata is echoed in the reply',
    description:
      'Like a payment at a terminal, without `terminal_id`. `metadata` is any JSON value and is returned unchanged; null and absent differ.',
    hot: true,
    body: schemas.inAppPaymentBody,
    replies: { 200: schemas.inAppPaymentReply },
    refusals: PAYMENT_REFUSALS,
    handle: (call) => pay(call, payments, { channel: 'in_app', terminalId: null }),
  });
}

function sharedRoutes(prefix: '/pos' | '/payment', suffix: 'AtTerminal' | 'InApp', payments: CardPayments): Endpoint[] {
  const where = suffix === 'AtTerminal' ? 'at a terminal' : 'in an app';
  const payment = suffix === 'AtTerminal' ? '/pos/payment' : '/payment';
  const family = suffix === 'AtTerminal' ? 'terminal' : 'inApp';
  return [
    endpoint({
      id: `refund${suffix}`,
      clientMethod: `${family}.refund`,
      method: 'POST',
      path: `${prefix}/refund`,
      permission: 'cards:pay',
      summary: `Refund a payment ${where} in full, in part, or for the remaining amount`,
      description:
        "Pays the payment back from the processor's balance. Without `amount` it refunds whatever remains. Several partial refunds are possible; together they never exceed the payment. The payer's fee is not returned.",
      hot: true,
      body: schemas.refundBody,
      replies: { 200: schemas.refundReply },
      refusals: REFUND_REFUSALS,
      handle: async (call) => {
        const { amount, request_id: requestId } = call.body;
        const outcome = await payments.refund(call, call.body, { amount, requestId });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: `capture${suffix}`,
      clientMethod: `${family}.capture`,
      method: 'POST',
      path: `${payment}/:transaction_id/capture`,
      permission: 'cards:pay',
      summary: `Capture a payment authorised ${where}, in full or in part`,
      description:
        'Pays at most what was authorised with `capture: false`, once, at the price of that moment. What is not captured becomes available to the customer in the same commit.',
      params: schemas.authorizationParams,
      body: schemas.captureBody,
      replies: { 200: schemas.captureReply },
      refusals: [...ENDING_REFUSALS, 'CAPTURE_EXCEEDS_AUTHORIZATION', 'INVALID_AMOUNT', 'INSUFFICIENT_BALANCE'],
      handle: async (call) => {
        const { amount, request_id: requestId } = call.body;
        const outcome = await payments.capture(call, call.params.transaction_id, { amount, requestId });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: `void${suffix}`,
      clientMethod: `${family}.void`,
      method: 'POST',
      path: `${payment}/:transaction_id/void`,
      permission: 'cards:pay',
      summary: `Void a payment authorised ${where}`,
      description: 'Nothing is paid, and what was reserved becomes available to the customer.',
      params: schemas.authorizationParams,
      body: schemas.voidBody,
      replies: { 200: schemas.voidReply },
      refusals: ENDING_REFUSALS,
      handle: async (call) => {
        const outcome = await payments.voidAuthorization(call, call.params.transaction_id, call.body.request_id);
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: `verifyCard${suffix}`,
      clientMethod: `${family}.verifyCard`,
      method: 'POST',
      path: `${prefix}/verify-card`,
      permission: 'cards:verify',
      summary: `Check ${where} whether a card can pay, with its holder and balance`,
      description: 'Shows before a payment whether the card would be accepted. It reserves nothing.',
      body: schemas.cardBody,
      replies: { 200: schemas.verifyCardReply },
      refusals: [...CHECK_REFUSALS, 'CARD_NOT_FOUND'],
      handle: async (call) => okOrRefusal(await payments.verifyCard(call, call.body.card_serial)),
    }),
    endpoint({
      id: `verifyAccount${suffix}`,
      clientMethod: `${family}.verifyAccount`,
      method: 'POST',
      path: `${prefix}/verify-account`,
      permission: 'cards:verify',
      summary: `Check ${where} whether an account exists, with its holder`,
      description: "Takes an account number or a phone number. The holder's name is masked.",
      body: schemas.accountBody,
      replies: { 200: schemas.verifyAccountReply },
      refusals: CHECK_REFUSALS,
      handle: async (call) => okOrRefusal(await payments.verifyAccount(call, call.body)),
    }),
    endpoint({
      id: `lookUpCard${suffix}`,
      clientMethod: `${family}.lookUpCard`,
      method: 'POST',
      path: `${prefix}/lookup-card`,
      permission: 'cards:look-up',
      summary: `Look up a card ${where}, with its holder and recent payments`,
      description: 'For helping a cardholder at the counter or in an app. The holder is masked.',
      body: schemas.cardBody,
      replies: { 200: schemas.lookUpCardReply },
      refusals: [...CHECK_REFUSALS, 'CARD_NOT_FOUND'],
      handle: async (call) => okOrRefusal(await payments.lookUpCard(call, call.body.card_serial)),
    }),
  ];
}

interface PaymentBody extends Omit<Purchase, 'channel' | 'terminalId' | 'metadata' | 'capture'> {
  request_id: string;
  amount: string;
  metadata?: string;
  capture?: boolean;
}

async function pay(
  call: Call<PaymentBody>,
  payments: CardPayments,
  where: Pick<Purchase, 'channel' | 'terminalId'>,
): Promise<Reply | Refusal> {
  const { amount, request_id: requestId, metadata = null, capture = true } = call.body;
  const refusal = metadataRefusal(metadata);
  if (refusal) return refusal;
  const outcome = await payments.pay(call, { ...call.body, ...where, metadata, capture }, { amount, requestId });
  if (outcome instanceof Refusal) return outcome;
  // A retry must have the same metadata, so the echoed metadata is the same too.
  const echoed = where.channel === 'in_app' && metadata !== null;
  return executedReply(echoed ? { ...outcome, json: withMember(outcome.json, 'metadata', metadata) } : outcome);
}

const MAX_METADATA_BYTES = 16 * 1024;

function metadataRefusal(text: string | null): Refusal | null {
  if (text === null || Buffer.byteLength(text) <= MAX_METADATA_BYTES) return null;
  return refuse('INVALID_REQUEST', `metadata must have at most ${MAX_METADATA_BYTES} bytes as JSON text.`);
}
