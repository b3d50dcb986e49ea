// Endpoints with which customers pay on their own channel: quotes, transfers, merchants, and cash-out codes.
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, ok, okJson, okOrRefusal } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { executedReply, paymentReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { CustomerPayments } from './service.ts';

export const CONFIRMED: NonNullable<Endpoint['refusals']> = [
  ...(['NOT_FOUND', 'REQUEST_CONFLICT', 'EXPIRED', 'QUOTE_CHANGED', 'QUOTE_USED'] as const),
  ...(['INVALID_PIN', 'ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS', 'INSUFFICIENT_BALANCE', 'DAILY_LIMIT_EXCEEDED'] as const),
  ...(['MAX_BALANCE_EXCEEDED', 'COMPLIANCE_BLOCKED', 'SUBSCRIBER_NOT_FOUND', 'SUBSCRIBER_BLOCKED'] as const),
  'TRANSACTION_TYPE_DISABLED',
  { code: 'INVALID_PIN', status: 400 },
];

export function customerPaymentRoutes(payments: CustomerPayments): Endpoint[] {
  return [...quotedRoutes(payments), ...cashOutRoutes(payments)];
}

function quotedRoutes(payments: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'createQuote',
      clientMethod: 'me.quote',
      method: 'POST',
      path: '/me/quote',
      permission: 'me:pay',
      summary: 'See whom you would pay and at what price, before you enter the PIN',
      description:
        'Names the payee by exactly one field that fits the type: `phone_number` or `account_number`; `merchant_number` or `qr`; `payment_request_id`, `code` or `qr`. At most 20 different payees in an hour whom you do not pay, and 10 that do not exist.',
      action: 'me.quote',
      hot: true,
      body: schemas.quoteBody,
      replies: { 200: schemas.quoteReply },
      refusals: [
        ...(['INVALID_AMOUNT', 'AMOUNT_MISMATCH', 'SAME_ACCOUNT', 'SUBSCRIBER_NOT_FOUND', 'NOT_FOUND'] as const),
        ...(['SUBSCRIBER_BLOCKED', 'TRANSACTION_TYPE_DISABLED', 'PROCESSOR_SUSPENDED', 'TOO_MANY_LOOKUPS'] as const),
        ...(['ALREADY_PAID', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const),
      ],
      handle: async (call) => {
        const quote = await payments.quote(ofCustomer(call), call.body);
        return quote instanceof Refusal ? quote : okJson(JSON.stringify({ quote }));
      },
    }),
    endpoint({
      id: 'createOwnTransfer',
      clientMethod: 'me.transfer',
      method: 'POST',
      path: '/me/transfers',
      permission: 'me:pay',
      summary: 'Transfer as quoted, with your PIN',
      description: 'If the fee has changed, the refusal QUOTE_CHANGED has the new quote.',
      action: 'me.transfer',
      hot: true,
      body: schemas.confirmBody,
      replies: { 200: paymentReply },
      refusals: CONFIRMED,
      handle: async (call) => {
        const outcome = await payments.transfer(ofCustomer(call), confirmed(call.body));
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: 'payMerchant',
      clientMethod: 'me.payMerchant',
      method: 'POST',
      path: '/me/payments',
      permission: 'me:pay',
      summary: 'Pay a merchant as quoted, with your PIN',
      description:
        'For quotes of the type merchant. If the fee has changed, the refusal QUOTE_CHANGED has the new quote.',
      action: 'me.pay',
      hot: true,
      body: schemas.confirmBody,
      replies: { 200: paymentReply },
      refusals: [...CONFIRMED, 'PROCESSOR_SUSPENDED'],
      handle: async (call) => {
        const outcome = await payments.payMerchant(ofCustomer(call), confirmed(call.body));
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
  ];
}

export function confirmed({ quote_id, pin, request_id }: { quote_id: string; pin: string; request_id?: string }) {
  return { quote_id, pin, requestId: request_id ?? '' };
}

function cashOutRoutes({ cashOutCodes }: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'createCashOutCode',
      clientMethod: 'me.createCashOutCode',
      method: 'POST',
      path: '/me/cash-out-codes',
      permission: 'me:pay',
      summary: 'Get a code with which any agent pays you out, within 30 minutes',
      description:
        'Amount and fee are held until an agent redeems the code, you cancel it, or it expires. A repeated request shows the same code while it lives. A block, a PIN reset, a new number or three wrong codes end it.',
      action: 'me.cash_out_code',
      body: schemas.newCodeBody,
      replies: { 201: schemas.newCodeReply },
      refusals: [
        ...([
          'INVALID_AMOUNT',
          'REQUEST_CONFLICT',
          'QUOTE_CHANGED',
          'SUBSCRIBER_NOT_FOUND',
          'SUBSCRIBER_BLOCKED',
        ] as const),
        ...(['TRANSACTION_TYPE_DISABLED', 'INVALID_PIN', 'ACCOUNT_LOCKED', 'TOO_MANY_ATTEMPTS'] as const),
        ...(['COMPLIANCE_BLOCKED', 'DAILY_LIMIT_EXCEEDED', 'INSUFFICIENT_BALANCE'] as const),
        { code: 'INVALID_PIN', status: 400 },
      ],
      handle: async (call) => {
        const { request_id: requestId, ...asked } = call.body;
        const made = await cashOutCodes.create(ofCustomer(call), { ...asked, requestId });
        if (made instanceof Refusal) return made;
        const headers = made.replayed ? { headers: { 'idempotent-replayed': 'true' } } : {};
        return { status: 201, body: made.reply, ...headers };
      },
    }),
    endpoint({
      id: 'getCashOutPrice',
      clientMethod: 'me.cashOutPrice',
      method: 'GET',
      path: '/me/cash-out-codes/price',
      permission: 'me:read',
      summary: 'See what a cash-out code would cost, before you enter the PIN',
      query: schemas.priceQuery,
      csv: false,
      replies: { 200: schemas.priceReply },
      refusals: ['INVALID_AMOUNT', 'SUBSCRIBER_NOT_FOUND', 'SUBSCRIBER_BLOCKED', 'TRANSACTION_TYPE_DISABLED'],
      handle: async (call) => okOrRefusal(await cashOutCodes.price(ofCustomer(call), call.query.amount)),
    }),
    endpoint({
      id: 'listCashOutCodes',
      clientMethod: 'me.cashOutCodes',
      method: 'GET',
      path: '/me/cash-out-codes',
      permission: 'me:read',
      summary: 'List your cash-out codes of the last 90 days, newest first, without their digits',
      query: schemas.pageQuery,
      replies: { 200: schemas.codesReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { codes, total } = await cashOutCodes.list(ofCustomer(call), page);
        return ok({ cash_out_codes: codes, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'cancelCashOutCode',
      clientMethod: 'me.cancelCashOutCode',
      method: 'POST',
      path: '/me/cash-out-codes/:id/cancel',
      permission: 'me:pay',
      summary: 'Cancel a cash-out code: its money is available again',
      description: 'A code that is cancelled already is returned as it is, so that a retry is safe.',
      action: 'me.cash_out_code.cancel',
      params: idParams,
      replies: { 200: schemas.codeReply },
      refusals: ['NOT_FOUND', 'ALREADY_PAID', 'EXPIRED'],
      handle: async (call) => {
        const code = await cashOutCodes.cancel(ofCustomer(call), call.params.id);
        if (code instanceof Refusal) return code;
        return ok({ success: true, message: 'The cash-out code was cancelled.', cash_out_code: code });
      },
    }),
  ];
}
