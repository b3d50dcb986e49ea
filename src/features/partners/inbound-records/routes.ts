// Endpoints for staff: inbound credits, as a list and one by one.
import type { Caller } from '../../../auth/caller.ts';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { inboundListReply, inboundParams, inboundQuery, inboundReply, inboundView } from './schemas.ts';
import type { InboundRecords } from './service.ts';

export function inboundRecordRoutes(records: InboundRecords): Endpoint[] {
  return [
    endpoint({
      id: 'listInboundCredits',
      clientMethod: 'credits.list',
      readsReplica: true,
      method: 'GET',
      path: '/admin/inbound',
      permission: 'inbound:review',
      summary: 'List inbound credits, newest first',
      description:
        "Partner banks' credits with their outcome, including refused ones. The payer is masked, except for compliance.",
      query: inboundQuery,
      replies: { 200: inboundListReply },
      refusals: ['PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const listed = await records.list(call, { ...call.query, ...page });
        if (listed instanceof Refusal) return listed;
        const { rows, total, isMinimum, nextCursor } = listed;
        return ok({
          inbound: rows.map((row) => inboundView(row, seesPayer(call.caller))),
          total_count: total,
          ...(isMinimum ? { total_is_minimum: true } : {}),
          ...page,
          next_cursor: nextCursor,
        });
      },
    }),
    endpoint({
      id: 'getInboundCredit',
      clientMethod: 'credits.get',
      method: 'GET',
      path: '/admin/inbound/:inbound_id',
      permission: 'inbound:review',
      summary: 'Get an inbound credit with its payer and its reversal',
      description: 'The payer is masked, except for compliance.',
      params: inboundParams,
      replies: { 200: inboundReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const row = await records.get(call, call.params.inbound_id);
        return row instanceof Refusal ? row : ok({ inbound: inboundView(row, seesPayer(call.caller)) });
      },
    }),
  ];
}

/** The payer is another bank's customer, whose data is collected only for anti-money-laundering reviews. */
function seesPayer(caller: Caller): boolean {
  return caller.kind === 'user' && caller.role === 'compliance_user';
}
