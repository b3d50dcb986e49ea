// Endpoints for payment requests: create, list, get, cancel.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { requestIdOf } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { PaymentRequests, RequestView } from './service.ts';

/** Keys may sign them. */
export function paymentRequestRoutes(requests: PaymentRequests): Endpoint[] {
  return [
    endpoint({
      id: 'createPaymentRequest',
      clientMethod: 'paymentRequests.create',
      method: 'POST',
      path: '/payment-requests',
      permission: 'payment-requests:write',
      summary: 'Ask for a payment: the reply has a code, a link and a USSD string for the payer',
      description:
        '`description` is required; the payer reads it. The payer confirms on their own phone, with their PIN, never at the merchant. A request for one payment is paid at most once. With `payer_phone` a registered payer gets a message; the reply is the same for any other number.',
      action: 'payment_request.create',
      body: schemas.createBody,
      replies: { 201: schemas.changedReply },
      refusals: ['INVALID_AMOUNT', 'REQUEST_CONFLICT', 'NOT_FOUND', 'PROCESSOR_SUSPENDED'],
      hot: true,
      handle: async (call) => {
        const requestId = requestIdOf(call);
        if (requestId instanceof Refusal) return requestId;
        return createdReply(await requests.createForProcessor(call, call.body, requestId));
      },
    }),
    endpoint({
      id: 'listPaymentRequests',
      clientMethod: 'paymentRequests.list',
      method: 'GET',
      path: '/payment-requests',
      permission: 'payment-requests:read',
      summary: 'List payment requests, newest first; total_count stops at 100,000',
      query: schemas.requestsQuery,
      csv: { list: 'payment_requests' },
      replies: { 200: schemas.requestsReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await requests.list(call, { ...call.query, ...page });
        if (found instanceof Refusal) return found;
        const { limit, offset } = page;
        return ok({ payment_requests: found.requests, total_count: found.total, limit, offset });
      },
    }),
    endpoint({
      id: 'getPaymentRequest',
      clientMethod: 'paymentRequests.get',
      method: 'GET',
      path: '/payment-requests/:id',
      permission: 'payment-requests:read',
      summary: 'Get a payment request and what became of it',
      params: idParams,
      csv: false,
      replies: { 200: schemas.requestReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await requests.get(call, call.params.id);
        return found instanceof Refusal ? found : ok({ payment_request: found });
      },
    }),
    endpoint({
      id: 'cancelPaymentRequest',
      clientMethod: 'paymentRequests.cancel',
      method: 'POST',
      path: '/payment-requests/:id/cancel',
      permission: 'payment-requests:write',
      summary: 'Cancel a payment request: from then on nobody can pay it',
      description: 'A request that is cancelled already is returned as it is, so that a retry is safe.',
      action: 'payment_request.cancel',
      params: idParams,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'ALREADY_PAID', 'DECLINED', 'EXPIRED'],
      handle: async (call) => {
        const found = await requests.cancel(call, call.params.id);
        if (found instanceof Refusal) return found;
        return ok({ success: true, message: 'The payment request was cancelled.', payment_request: found });
      },
    }),
  ];
}

/** The hosts to which requests may return the payer. */
export function returnHostRoutes({ returnHosts }: PaymentRequests): Endpoint[] {
  return [
    endpoint({
      id: 'getReturnHosts',
      clientMethod: 'processors.returnHosts',
      method: 'GET',
      path: '/processors/:id/return-hosts',
      permission: 'processors:read',
      summary: "Get the hosts to which a processor's payment requests may return the payer",
      params: idParams,
      csv: false,
      replies: { 200: schemas.returnHostsReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const hosts = await returnHosts.list(call, call.params.id);
        return hosts instanceof Refusal ? hosts : ok({ return_hosts: hosts });
      },
    }),
    endpoint({
      id: 'setReturnHosts',
      clientMethod: 'processors.setReturnHosts',
      method: 'POST',
      path: '/processors/:id/return-hosts',
      permission: 'return-hosts:write',
      summary: "Replace the hosts to which a processor's payment requests may return the payer",
      action: 'processor.return_hosts',
      params: idParams,
      body: schemas.returnHostsBody,
      replies: { 200: schemas.returnHostsChangedReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const hosts = await returnHosts.set(call, call.params.id, call.body.return_hosts);
        if (hosts instanceof Refusal) return hosts;
        return ok({ success: true, message: 'The return hosts were changed.', return_hosts: hosts });
      },
    }),
  ];
}

/** 201 for a retry too: it has the original reply. */
export function createdReply(made: { view: RequestView; replayed: boolean } | Refusal) {
  if (made instanceof Refusal) return made;
  const body = { success: true, message: 'The payment request was created.', payment_request: made.view };
  const headers = made.replayed ? { headers: { 'idempotent-replayed': 'true' } } : {};
  return { status: 201, body: undefined, json: JSON.stringify(body), ...headers };
}
