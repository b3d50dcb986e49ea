// Endpoints of the lab for payment requests: a customer asks, confirms and declines. Without the lab, and so in production, they answer 404.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { executedReply, requestIdOf } from '../../http/payment-endpoint.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { createdReply } from './routes.ts';
import * as schemas from './schemas.ts';
import type { PaymentRequests } from './service.ts';

/** `requests` is undefined unless the service runs with LAB=on. */
export function labPaymentRequestRoutes(requests: PaymentRequests | undefined): Endpoint[] {
  return [
    endpoint({
      id: 'createLabPaymentRequest',
      clientMethod: 'lab.createPaymentRequest',
      method: 'POST',
      path: '/admin/lab/payment-requests',
      permission: 'lab',
      summary: 'Ask for a payment as a customer; not available in production',
      action: 'payment_request.create',
      body: schemas.labCreateBody,
      replies: { 201: schemas.changedReply },
      refusals: [
        ...(['INVALID_AMOUNT', 'REQUEST_CONFLICT', 'NOT_FOUND', 'SUBSCRIBER_NOT_FOUND', 'SUBSCRIBER_BLOCKED'] as const),
        ...(['TRANSACTION_TYPE_DISABLED', 'PEP_ACCESS_REQUIRED', 'RATE_LIMITED'] as const),
      ],
      handle: async (call) => {
        if (!requests) return off();
        const requestId = requestIdOf(call);
        if (requestId instanceof Refusal) return requestId;
        return createdReply(await requests.createForSubscriber(call, call.body.subscriber_id, call.body, requestId));
      },
    }),
    endpoint({
      id: 'confirmLabPaymentRequest',
      clientMethod: 'lab.confirmPaymentRequest',
      method: 'POST',
      path: '/admin/lab/payment-requests/:id/confirm',
      permission: 'lab',
      summary: 'Pay a payment request as a customer, with the PIN; not available in production',
      action: 'payment_request.confirm',
      params: idParams,
      body: schemas.labConfirmBody,
      replies: { 200: schemas.labConfirmReply },
      refusals: [
        ...(['INVALID_AMOUNT', 'AMOUNT_MISMATCH', 'SAME_ACCOUNT', 'REQUEST_CONFLICT', 'NOT_FOUND'] as const),
        ...([
          'SUBSCRIBER_NOT_FOUND',
          'SUBSCRIBER_BLOCKED',
          'TRANSACTION_TYPE_DISABLED',
          'PROCESSOR_SUSPENDED',
        ] as const),
        ...(['ALREADY_PAID', 'DECLINED', 'EXPIRED', 'CANCELLED', 'INVALID_PIN', 'ACCOUNT_LOCKED'] as const),
        ...(['TOO_MANY_ATTEMPTS', 'INSUFFICIENT_BALANCE', 'DAILY_LIMIT_EXCEEDED', 'MAX_BALANCE_EXCEEDED'] as const),
        ...(['COMPLIANCE_BLOCKED', 'PEP_ACCESS_REQUIRED'] as const),
        { code: 'INVALID_PIN', status: 400 },
      ],
      handle: async (call) => {
        if (!requests) return off();
        const requestId = requestIdOf(call);
        if (requestId instanceof Refusal) return requestId;
        if (requestId === null) return refuse('INVALID_REQUEST', 'request_id is required to confirm a payment.');
        const { payer_id: payer, amount, pin } = call.body;
        const outcome = await requests.confirm(call, { payer, request: call.params.id, amount, pin, requestId });
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: 'declineLabPaymentRequest',
      clientMethod: 'lab.declinePaymentRequest',
      method: 'POST',
      path: '/admin/lab/payment-requests/:id/decline',
      permission: 'lab',
      summary: 'Decline a payment request as a customer; not available in production',
      action: 'payment_request.decline',
      params: idParams,
      body: schemas.labDeclineBody,
      replies: { 200: schemas.labDeclineReply },
      refusals: [
        ...(['NOT_FOUND', 'SUBSCRIBER_NOT_FOUND', 'PEP_ACCESS_REQUIRED'] as const),
        ...(['ALREADY_PAID', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const),
      ],
      handle: async (call) => {
        if (!requests) return off();
        const refusal = await requests.decline(call, { payer: call.body.payer_id, request: call.params.id });
        return refusal ?? ok({ success: true, message: 'The payment request was declined.' });
      },
    }),
  ];
}

function off(): Refusal {
  return refuse('NOT_FOUND', 'The lab is off (LAB).');
}
