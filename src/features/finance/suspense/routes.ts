// Endpoints for the suspense account: its open items and their resolution.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import { itemView, resolveBody, resolveParams, resolveReply, suspenseQuery, suspenseReply } from './schemas.ts';
import type { Suspense } from './service.ts';

export function suspenseRoutes(suspense: Suspense, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'listSuspenseItems',
      clientMethod: 'suspense.list',
      method: 'GET',
      path: '/admin/suspense',
      permission: 'suspense:read',
      summary: 'List the open items of the suspense account, oldest first',
      query: suspenseQuery,
      replies: { 200: suspenseReply },
      csv: { key: 'transaction_id' },
      refusals: ['PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const listed = await suspense.list(call, { ...call.query, ...page });
        if (listed instanceof Refusal) return listed;
        const { limit, offset } = page;
        return ok({
          suspense: listed.items.map((item) => itemView(item, listed.at)),
          total_count: listed.total,
          ...{ limit, offset },
          total_amount: listed.totalAmount,
          hidden_count: listed.hidden,
        });
      },
    }),
    endpoint({
      id: 'resolveSuspenseItem',
      clientMethod: 'suspense.resolve',
      method: 'POST',
      path: '/admin/suspense/:transaction_id/resolve',
      permission: 'suspense:resolve',
      summary: 'Resolve an item of the suspense account: a partner owes it, or the wallet pays it back',
      description:
        'With `partner_id` the partner owes the amount; with `refund: true` the wallet pays it back. An approval policy may apply (202).',
      action: 'suspense.resolve',
      params: resolveParams,
      body: resolveBody,
      replies: { 200: resolveReply, 202: pendingReply },
      refusals: [
        'NOT_FOUND',
        'PEP_ACCESS_REQUIRED',
        'ALREADY_RESOLVED',
        'COMPLIANCE_BLOCKED',
        'INSUFFICIENT_BALANCE',
        'REQUEST_CONFLICT',
      ],
      handle: (call) => {
        const { toPartner, refund } = suspense.operations;
        return gate.pay(call, call.body.partner_id === undefined ? refund : toPartner);
      },
    }),
  ];
}
