// Endpoints for customers' payment requests: what they are asked, what they ask others, and whom they block.
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { executedReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { CONFIRMED, confirmed } from './routes.ts';
import * as schemas from './schemas.ts';
import type { CustomerPayments } from './service.ts';

export function customerRequestRoutes(payments: CustomerPayments): Endpoint[] {
  return [...payerRoutes(payments), ...payeeRoutes(payments), ...blockRoutes(payments)];
}

const ENDED = ['ALREADY_PAID', 'DECLINED', 'EXPIRED', 'CANCELLED'] as const;

function payerRoutes({ requests, approve }: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'listIncomingRequests',
      clientMethod: 'me.incomingRequests',
      method: 'GET',
      path: '/me/payment-requests/incoming',
      permission: 'me:read',
      summary: 'List the open payment requests that you were told about, newest first',
      query: schemas.pageQuery,
      replies: { 200: schemas.incomingListReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await requests.incoming(ofCustomer(call), page);
        return ok({ payment_requests: found.requests, total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'openPaymentRequest',
      clientMethod: 'me.openRequest',
      method: 'GET',
      path: '/payment-requests/by-code/:code',
      permission: 'me:read',
      summary: 'Open a payment request by its code, or by the token at the end of its link',
      description: 'Counts as a look-up, as a quote does.',
      params: schemas.codeParams,
      csv: false,
      replies: { 200: schemas.incomingReply },
      refusals: ['NOT_FOUND', 'SAME_ACCOUNT', 'TOO_MANY_LOOKUPS'],
      handle: async (call) => {
        const found = await requests.open(ofCustomer(call), call.params.code);
        return found instanceof Refusal ? found : ok({ payment_request: found });
      },
    }),
    endpoint({
      id: 'approvePaymentRequest',
      clientMethod: 'me.approveRequest',
      method: 'POST',
      path: '/me/payment-requests/:id/approve',
      permission: 'me:pay',
      summary: 'Pay a payment request as quoted, with your PIN',
      action: 'payment_request.confirm',
      hot: true,
      params: idParams,
      body: schemas.confirmBody,
      replies: { 200: schemas.paidRequestReply },
      refusals: [
        ...CONFIRMED,
        ...(['SAME_ACCOUNT', 'AMOUNT_MISMATCH', 'PROCESSOR_SUSPENDED'] as const),
        ...(['ALREADY_PAID', 'DECLINED', 'CANCELLED'] as const),
      ],
      handle: async (call) => {
        const outcome = await approve(ofCustomer(call), call.params.id, confirmed(call.body));
        return outcome instanceof Refusal ? outcome : executedReply(outcome);
      },
    }),
    endpoint({
      id: 'declinePaymentRequest',
      clientMethod: 'me.declineRequest',
      method: 'POST',
      path: '/me/payment-requests/:id/decline',
      permission: 'me:pay',
      summary: 'Decline a payment request; after two declines its payee can no longer send you notices',
      action: 'payment_request.decline',
      params: idParams,
      replies: { 200: schemas.doneReply },
      refusals: ['NOT_FOUND', 'SUBSCRIBER_NOT_FOUND', 'ALREADY_PAID', 'EXPIRED', 'CANCELLED', 'TOO_MANY_LOOKUPS'],
      handle: async (call) => {
        const refusal = await requests.decline(ofCustomer(call), call.params.id);
        return refusal ?? ok({ success: true, message: 'The payment request was declined.' });
      },
    }),
  ];
}

function payeeRoutes({ requests }: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'createOwnPaymentRequest',
      clientMethod: 'me.createRequest',
      method: 'POST',
      path: '/me/payment-requests',
      permission: 'me:pay',
      summary: 'Ask somebody for a payment: ten requests a day',
      action: 'payment_request.create',
      body: schemas.createBody,
      replies: { 201: schemas.changedRequestReply },
      refusals: [
        ...(['INVALID_AMOUNT', 'REQUEST_CONFLICT', 'SUBSCRIBER_NOT_FOUND', 'SUBSCRIBER_BLOCKED'] as const),
        ...(['TRANSACTION_TYPE_DISABLED', 'RATE_LIMITED'] as const),
      ],
      handle: async (call) => {
        const { request_id, ...input } = call.body;
        const made = await requests.create(ofCustomer(call), input, request_id);
        if (made instanceof Refusal) return made;
        const body = { success: true, message: 'The payment request was created.', payment_request: made.view };
        return { status: 201, body, ...(made.replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) };
      },
    }),
    endpoint({
      id: 'listSentRequests',
      clientMethod: 'me.sentRequests',
      method: 'GET',
      path: '/me/payment-requests',
      permission: 'me:read',
      summary: 'List the payment requests that you made, newest first',
      query: schemas.sentQuery,
      replies: { 200: schemas.sentListReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await requests.sent(ofCustomer(call), { ...page, status: call.query.status });
        return ok({ payment_requests: found.requests, total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'getOwnPaymentRequest',
      clientMethod: 'me.request',
      method: 'GET',
      path: '/me/payment-requests/:id',
      permission: 'me:read',
      summary: 'Get a payment request that you made, were told about, or answered',
      params: idParams,
      csv: false,
      replies: { 200: schemas.ownRequestReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const found = await requests.get(ofCustomer(call), call.params.id);
        if (found instanceof Refusal) return found;
        return ok({ direction: found.direction, payment_request: found.view });
      },
    }),
    endpoint({
      id: 'cancelOwnPaymentRequest',
      clientMethod: 'me.cancelRequest',
      method: 'POST',
      path: '/me/payment-requests/:id/cancel',
      permission: 'me:pay',
      summary: 'Cancel a payment request that you made',
      action: 'payment_request.cancel',
      params: idParams,
      replies: { 200: schemas.changedRequestReply },
      refusals: ['NOT_FOUND', ...ENDED.filter((code) => code !== 'CANCELLED')],
      handle: async (call) => {
        const found = await requests.cancel(ofCustomer(call), call.params.id);
        if (found instanceof Refusal) return found;
        return ok({ success: true, message: 'The payment request was cancelled.', payment_request: found });
      },
    }),
  ];
}

function blockRoutes({ requests }: CustomerPayments): Endpoint[] {
  return [
    endpoint({
      id: 'blockPayee',
      clientMethod: 'me.blockPayee',
      method: 'POST',
      path: '/me/payment-requests/:id/block-payee',
      permission: 'me:pay',
      summary: 'Hear no more of the payee of a payment request',
      action: 'payment_request.block_payee',
      params: idParams,
      replies: { 200: schemas.doneReply },
      refusals: ['NOT_FOUND', 'TOO_MANY_LOOKUPS'],
      handle: async (call) => {
        const refusal = await requests.block(ofCustomer(call), call.params.id);
        return refusal ?? ok({ success: true, message: 'You get no more notices of this payee.' });
      },
    }),
    endpoint({
      id: 'unblockPayee',
      clientMethod: 'me.unblockPayee',
      method: 'POST',
      path: '/me/payment-requests/:id/unblock-payee',
      permission: 'me:pay',
      summary: 'Hear of the payee of a payment request again',
      action: 'payment_request.unblock_payee',
      params: idParams,
      replies: { 200: schemas.doneReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const refusal = await requests.unblock(ofCustomer(call), call.params.id);
        return refusal ?? ok({ success: true, message: 'You get notices of this payee again.' });
      },
    }),
    endpoint({
      id: 'listBlockedPayees',
      clientMethod: 'me.blockedPayees',
      method: 'GET',
      path: '/me/blocked-payees',
      permission: 'me:read',
      summary: 'List the payees whom you blocked',
      csv: { key: 'payment_request_id' },
      replies: { 200: schemas.blockedReply },
      handle: async (call) => ok({ blocked_payees: await requests.blocked(ofCustomer(call)) }),
    }),
  ];
}
