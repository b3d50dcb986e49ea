// Endpoints that a form for a payment needs before and after it is sent.
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { CURRENCY } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { outcomeReply, quoteQuery, quoteReply, requestParams, requestQuery } from './schemas.ts';
import type { PaymentForms, SentRequest } from './service.ts';

export function quoteRoutes(forms: PaymentForms): Endpoint[] {
  return [
    endpoint({
      id: 'getFeeQuote',
      clientMethod: 'fees.quote',
      method: 'GET',
      path: '/fee-quote',
      permission: 'payments:forms',
      summary: 'Get what a payment would cost, without making it',
      description:
        'Computed by the same code as the payment, with the current settings. It neither guarantees that the payment will be accepted nor reserves anything. The caller needs the permission for the payment; agents and merchants name their own agent or processor.',
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
      handle: async (call) => {
        const { query } = call;
        const quote = await forms.quote(call, query);
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
      id: 'getRequest',
      clientMethod: 'transactions.outcomeOfRequest',
      method: 'GET',
      path: '/requests/:request_id',
      permission: 'requests:read',
      summary: "Get a request's outcome by its request_id",
      description:
        "For a payment whose reply did not arrive. Request ids belong to the party the request acts for. An agent's, processor's or partner's keys and logins ask for their own party's requests; other callers send `party_id`. A request that another credential sent is shown without balances. `unknown` means that nothing is recorded so far: the request never arrived, was refused without a record, or is still being executed. In each case the same request with the same `request_id` can be sent again, and moves the money at most once. Requests are found for 90 days, or as long as the operator keeps them; an older payment is found in the history.",
      params: requestParams,
      query: requestQuery,
      replies: { 200: outcomeReply },
      refusals: ['PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const { request_id } = call.params;
        const found = await forms.outcome(call, request_id, call.query.party_id);
        return found instanceof Refusal ? found : ok(outcomeView(request_id, found));
      },
    }),
  ];
}

export function customerOutcomeRoutes(forms: PaymentForms): Endpoint[] {
  return [
    endpoint({
      id: 'getOwnRequest',
      clientMethod: 'me.outcomeOfRequest',
      method: 'GET',
      path: '/me/requests/:request_id',
      permission: 'me:read',
      summary: 'Get the outcome of one of your payments by its request_id, without the PIN',
      description:
        'For a payment whose reply did not arrive. `unknown` means that nothing is recorded so far: the request never arrived, was refused, or is still being executed. A quote that has expired is no longer paid, so a minute later `unknown` is final. Until then the same request can be sent again, and moves the money at most once.',
      params: requestParams,
      replies: { 200: outcomeReply },
      handle: async (call) => {
        const { request_id } = call.params;
        const found = await forms.outcome(ofCustomer(call), request_id);
        return found instanceof Refusal ? found : ok(outcomeView(request_id, found));
      },
    }),
  ];
}

function outcomeView(request_id: string, { status, transactionId, approvalId, reply }: SentRequest) {
  return { success: true, request_id, status, transaction_id: transactionId, approval_id: approvalId, reply };
}
