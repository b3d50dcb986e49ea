// Endpoints of the clocks of cases.
import { created, type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Cases } from '../service.ts';
import * as schemas from './schemas.ts';

export function clockRoutes({ clocks }: Cases): Endpoint[] {
  return [
    endpoint({
      id: 'listCaseClocks',
      clientMethod: 'cases.clocks',
      method: 'GET',
      path: '/case-clocks',
      permission: 'cases:read',
      summary: 'List the clocks of cases with their sources, the newest first',
      query: schemas.clocksQuery,
      replies: { 200: schemas.clocksListReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { rows, total } = await clocks.list(page);
        return ok({ clocks: rows, total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'addCaseClocks',
      clientMethod: 'cases.addClocks',
      method: 'POST',
      path: '/case-clocks',
      permission: 'cases:clocks',
      summary: 'Set the clocks of the cases that are opened from a day on',
      description: 'Open cases keep theirs. Clocks are never changed: later ones replace them from their day on.',
      action: 'case_clocks.add',
      body: schemas.clocksBody,
      replies: { 201: schemas.clocksReply },
      handle: async (call) => {
        const added = await clocks.add(call, call.body);
        if (added instanceof Refusal) return added;
        return created({ success: true, message: 'The clocks were set.', clocks: added });
      },
    }),
  ];
}
