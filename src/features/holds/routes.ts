// Endpoints to read holds.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { Holds } from './service.ts';

export function holdRoutes(holds: Holds): Endpoint[] {
  return [
    endpoint({
      id: 'listHolds',
      clientMethod: 'holds.list',
      method: 'GET',
      path: '/holds',
      permission: 'payments:read',
      summary: 'List holds, newest first, of one party or of all; total_count stops at 100,000',
      description:
        'A hold reserves part of a balance until it is captured, released or expires. Parties and their keys see their own.',
      query: schemas.holdsQuery,
      csv: { key: 'id' },
      replies: { 200: schemas.holdsReply },
      refusals: ['SUBSCRIBER_NOT_FOUND', 'NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await holds.list(call, call.query, page);
        if (found instanceof Refusal) return found;
        return ok({ holds: found.holds, total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'getHold',
      clientMethod: 'holds.get',
      method: 'GET',
      path: '/holds/:id',
      permission: 'payments:read',
      summary: 'Get a hold: its state, and the payment that captured it',
      description: 'Its id is the transaction_id of the authorised payment.',
      params: idParams,
      replies: { 200: schemas.holdReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const hold = await holds.get(call, call.params.id);
        return hold instanceof Refusal ? hold : ok({ hold });
      },
    }),
  ];
}
