// Processors' endpoints: registration, suspension, transfers and history.
import { type Call, created, type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { paymentReply } from '../../http/payment-endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { GATE_REFUSALS, type Gate, pendingReply } from '../approvals/service.ts';
import { summedHistoryRoute } from '../transactions/service.ts';
import { bankAccountRoutes } from './bank-account-routes.ts';
import { totalsOf } from './history.ts';
import { payoutRoutes } from './payout-routes.ts';
import { type Processor, recordFor } from './record.ts';
import * as schemas from './schemas.ts';
import type { Processors } from './service.ts';
import { takingsQuery, takingsReply, takingsView } from './takings.ts';
import { terminalKeyRoutes } from './terminal-key-routes.ts';

export function processorRoutes(processors: Processors, gate: Gate): Endpoint[] {
  return [
    ...recordRoutes(processors, gate),
    ...stateRoutes(processors),
    ...moneyRoutes(processors, gate),
    ...bankAccountRoutes(processors, gate),
    ...payoutRoutes(processors, gate),
    ...terminalKeyRoutes(processors, gate),
  ];
}

/** Keys of the processor may sign: their bearer is never issued. */
export function processorReadRoutes(processors: Processors): Endpoint[] {
  return [
    endpoint({
      id: 'getProcessor',
      clientMethod: 'processors.get',
      method: 'GET',
      path: '/processors/:id',
      permission: 'processors:read',
      summary: 'Get a processor and its balance',
      params: idParams,
      replies: { 200: schemas.processorReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params }) => {
        const processor = await processors.get(caller, params.id);
        return processor instanceof Refusal ? processor : ok({ processor: recordFor(caller, processor) });
      },
    }),
    endpoint({
      id: 'getProcessorQr',
      clientMethod: 'processors.qr',
      method: 'GET',
      path: '/processors/:id/qr',
      permission: 'processors:read',
      summary: "Get a processor's static QR code as SVG or PNG, or as a poster for the counter",
      description:
        'Customers scan it, or type the merchant number, and enter the amount. It stays the same while the processor exists; payments to a suspended processor are refused.',
      params: idParams,
      query: schemas.qrQuery,
      replies: { 200: schemas.qrReply },
      refusals: ['NOT_FOUND'],
      handle: ({ caller, params, query }) => processors.qr(caller, params.id, query.format ?? 'svg'),
    }),
  ];
}

function recordRoutes(processors: Processors, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'createProcessor',
      clientMethod: 'processors.create',
      method: 'POST',
      path: '/processors',
      permission: 'processors:write',
      summary: 'Create a processor; its login is sent to its phone number',
      description: 'The merchant gets a login by message. `merchant_id` must be sent with its payments.',
      action: 'processor.create',
      body: schemas.createBody,
      replies: { 201: schemas.createReply },
      refusals: ['DUPLICATE_PHONE', 'DUPLICATE_EMAIL', 'DUPLICATE_MERCHANT_ID'],
      handle: async (call) => {
        const made = await processors.create(call, call.body);
        if (made instanceof Refusal) return made;
        const { processor, userId } = made;
        const message = 'The processor was created. Its login was sent to its phone number.';
        const ids = { processor_id: processor.id, user_id: userId };
        return created({ success: true, message, ...ids, processor: recordFor(call.caller, processor) });
      },
    }),
    endpoint({
      id: 'updateProcessor',
      clientMethod: 'processors.update',
      method: 'PUT',
      path: '/processors/:id',
      permission: 'processors:write',
      summary: 'Update a processor; omitted fields keep their values',
      action: 'processor.update',
      params: idParams,
      body: schemas.updateBody,
      current: async ({ caller, params }) => {
        const processor = await processors.get(caller, params.id);
        return processor instanceof Refusal ? processor : recordFor(caller, processor);
      },
      replies: { 200: schemas.changedReply, 202: pendingReply },
      refusals: ['APPROVAL_REQUIRED', 'NOT_FOUND', 'DUPLICATE_PHONE'],
      handle: (call) => gate.change(call, processors.update),
    }),
    endpoint({
      id: 'listProcessors',
      clientMethod: 'processors.list',
      method: 'GET',
      path: '/processors',
      permission: 'processors:read',
      summary: 'List processors, by default newest first',
      query: schemas.processorsQuery,
      replies: { 200: schemas.processorsReply },
      handle: async ({ caller, query }) => {
        const page = pageOf(query);
        const { processors: found, total } = await processors.list(caller, { ...query, ...page });
        return ok({ processors: found.map((each) => recordFor(caller, each)), total_count: total, ...page });
      },
    }),
  ];
}

function stateRoutes(processors: Processors): Endpoint[] {
  return [
    endpoint({
      id: 'suspendProcessor',
      clientMethod: 'processors.suspend',
      method: 'POST',
      path: '/processors/:id/suspend',
      permission: 'processors:write',
      summary: 'Suspend a processor: it can neither receive nor send money',
      description:
        'Payments to it are refused with 403 `PROCESSOR_SUSPENDED`, and its keys and users can change nothing.',
      action: 'processor.suspend',
      params: idParams,
      body: schemas.suspendBody,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'ALREADY_SUSPENDED'],
      handle: async (call) =>
        changed(call, 'The processor was suspended.', await processors.suspend(call, call.params.id, call.body.reason)),
    }),
    endpoint({
      id: 'reactivateProcessor',
      clientMethod: 'processors.reactivate',
      method: 'POST',
      path: '/processors/:id/reactivate',
      permission: 'processors:write',
      summary: 'Reactivate a suspended processor',
      action: 'processor.reactivate',
      params: idParams,
      replies: { 200: schemas.changedReply },
      refusals: ['NOT_FOUND', 'NOT_SUSPENDED'],
      handle: async (call) =>
        changed(call, 'The processor was reactivated.', await processors.reactivate(call, call.params.id)),
    }),
  ];
}

function moneyRoutes(processors: Processors, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'transferFromProcessor',
      clientMethod: 'processors.transfer',
      method: 'POST',
      path: '/processors/:id/transfer',
      permission: 'processors:transfer',
      summary: 'Transfer from a processor to another processor or to a wallet',
      description: 'To another processor or to a wallet. Keys need the scope `payouts:write` and a `request_id`.',
      action: 'processor.transfer',
      params: idParams,
      body: schemas.transferBody,
      replies: { 200: paymentReply, 202: pendingReply },
      refusals: [
        ...GATE_REFUSALS,
        'INVALID_AMOUNT',
        'REQUEST_CONFLICT',
        'NOT_FOUND',
        'SUBSCRIBER_NOT_FOUND',
        'SAME_ACCOUNT',
        'PROCESSOR_SUSPENDED',
        'SUBSCRIBER_BLOCKED',
        'TRANSACTION_TYPE_DISABLED',
        'COMPLIANCE_BLOCKED',
        'MAX_BALANCE_EXCEEDED',
        'INSUFFICIENT_BALANCE',
      ],
      handle: (call) => gate.pay(call, processors.transferOperation),
    }),
  ];
}

/** Keys may sign it. */
export function processorHistoryRoutes(processors: Processors): Endpoint[] {
  return [
    summedHistoryRoute({
      id: 'listProcessorTransactions',
      clientMethod: 'processors.transactions',
      path: '/processors/:id/transactions',
      permission: 'processors:history',
      summary: "List a processor's transactions, newest first, with totals",
      description: 'The totals cover every matching record, not just the page.',
      totals: schemas.totals,
      totalsOf,
      history: processors.history,
    }),
    endpoint({
      id: 'getProcessorTakings',
      clientMethod: 'processors.takings',
      readsReplica: true,
      method: 'GET',
      path: '/processors/:id/takings',
      permission: 'processors:history',
      summary: "A processor's takings by hour or day, exact and without gaps",
      description:
        'For a chart: one entry per hour or UTC day, the latest last. By default the last 30 days or 24 hours.',
      params: idParams,
      query: takingsQuery,
      replies: { 200: takingsReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const takings = await processors.takings(call, call.params.id, call.query);
        return takings instanceof Refusal ? takings : ok(takingsView(takings));
      },
    }),
  ];
}

function changed({ caller }: Call, message: string, processor: Processor | Refusal) {
  if (processor instanceof Refusal) return processor;
  return ok({ success: true, message, processor: recordFor(caller, processor) });
}
