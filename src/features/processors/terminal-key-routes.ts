// The endpoint of the API keys of a processor's terminals and apps.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { listQuery, pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Processors } from './service.ts';
import { terminalKeysReply, terminalKeyView } from './terminal-keys.ts';

export function terminalKeyRoutes(processors: Processors): Endpoint[] {
  return [
    endpoint({
      id: 'listTerminalKeys',
      method: 'GET',
      path: '/processors/:id/keys',
      permission: 'processors:history',
      summary: "List the API keys of a processor's terminals and apps, newest first, without secrets",
      params: idParams,
      query: listQuery({}),
      replies: { 200: terminalKeysReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params, query }) => {
        const page = pageOf(query);
        const found = await processors.terminalKeys(caller, params.id, page);
        if (found instanceof Refusal) return found;
        return ok({ keys: found.keys.map(terminalKeyView), total_count: found.total, ...page });
      },
    }),
  ];
}
