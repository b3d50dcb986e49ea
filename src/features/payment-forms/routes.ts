// Endpoints that a form for a payment needs before and after it is sent.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { outcomeReply, quoteQuery, quoteReply, requestParams } from './schemas.ts';
import type { PaymentForms } from './service.ts';

export function quoteRoutes(forms: PaymentForms): Endpoint[] {
  return [
    endpoint({
      id: 'getFeeQuote',
      method: 'GET',
      path: '/fee-quote',
      permission: 'payments:forms',
      summary: 'Get what a payment would cost, without making it',
      query: quoteQuery,
      replies: { 200: quoteReply },
      refusals: [
        'INVALID_AMOUNT',
        'NOT_FOUND',
        'ARCHIVED',
        'NOT_REFUNDABLE',
        'PROCESSOR_SUSPENDED',
        'REFUND_EXCEEDS_PAYMENT',
      ],
      handle: async ({ caller, query }) => {
        const quote = await forms.quote(caller, query);
        if (quote instanceof Refusal) return quote;
        const { amount, payerFee, debited, payeeFee, credited, payerCommission, payeeCommission } = quote;
        return ok({
          success: true,
          transaction_type: query.transaction_type,
          amount,
          fee: payerFee,
          total_debited: debited,
          payee_fee: payeeFee,
          total_credited: credited,
          payer_commission: payerCommission,
          payee_commission: payeeCommission,
          currency: CURRENCY,
        });
      },
    }),
  ];
}

export function outcomeRoutes(forms: PaymentForms): Endpoint[] {
  return [
    endpoint({
      id: 'getPaymentRequest',
      method: 'GET',
      path: '/payment-requests/:request_id',
      permission: 'payments:forms',
      summary: 'Get what became of an own payment request',
      params: requestParams,
      replies: { 200: outcomeReply },
      handle: async ({ caller, params }) => {
        const { request_id } = params;
        const { status, transactionId, approvalId, reply } = await forms.outcome(caller, request_id);
        const ids = { transaction_id: transactionId, approval_id: approvalId };
        return ok({ success: true, request_id, status, ...ids, reply: reply === null ? null : JSON.parse(reply) });
      },
    }),
  ];
}
