// The search endpoint.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { searchQuery, searchReply } from './schemas.ts';
import type { Search } from './service.ts';

export function searchRoutes(search: Search): Endpoint[] {
  return [
    endpoint({
      id: 'search',
      clientMethod: 'search.query',
      readsReplica: true,
      method: 'GET',
      path: '/search',
      permission: 'search',
      summary: 'Search subscribers, cards, transactions, inbound credits, agents, processors and partners',
      description:
        "Matches phone, name, account number, card serial, transaction id, reference, request id, authorization code, agent, processor and partner. Agents' users find subscribers by exact phone, card or account number only.",
      query: searchQuery,
      replies: { 200: searchReply },
      refusals: ['TOO_MANY_LOOKUPS'],
      handle: async (call) => {
        const found = await search(call, call.query.q);
        return found instanceof Refusal ? found : ok({ success: true, ...found });
      },
    }),
  ];
}
