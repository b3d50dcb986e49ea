// Endpoint for staff that support integrators: the recent requests of an API key.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requestsQuery, requestsReply, requestView } from './schemas.ts';
import type { RequestLog } from './service.ts';

export function requestLogRoutes(requestLog: RequestLog): Endpoint[] {
  return [
    endpoint({
      id: 'listApiKeyRequests',
      method: 'GET',
      path: '/admin/api-keys/:id/requests',
      permission: 'api-keys:requests',
      summary: 'List the requests of an API key in the last 24 hours, newest first; bodies are redacted',
      params: idParams,
      query: requestsQuery,
      csv: { list: 'requests' },
      replies: { 200: requestsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, params, query }) => {
        const page = pageOf(query);
        const { status, code, newer_than: newerThan } = query;
        const found = await requestLog.list(caller, { keyId: params.id, status, code, newerThan }, page);
        if (found instanceof Refusal) return found;
        const requests = found.rows.map(requestView);
        return ok({
          ...{
            requests,
            omitted_count: found.omitted,
            total_count: found.total,
            limit: page.limit,
            offset: page.offset,
          },
          cursor: requests[0]?.id ?? newerThan ?? '0',
        });
      },
    }),
  ];
}
