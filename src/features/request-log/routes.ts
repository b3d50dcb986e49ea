// Endpoints for the request log: the recent requests of an API key, for staff and for the key's owner.
import type { Static } from 'typebox';
import type { Caller } from '../../auth/caller.ts';
import { type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { ownRequestsQuery, requestsQuery, requestsReply, requestView } from './schemas.ts';
import type { RequestLog } from './service.ts';

/** For staff that support integrators. */
export function requestLogRoutes(requestLog: RequestLog): Endpoint[] {
  return [
    endpoint({
      id: 'listApiKeyRequests',
      clientMethod: 'apiKeys.requests',
      method: 'GET',
      path: '/admin/api-keys/:id/requests',
      permission: 'api-keys:requests',
      summary: 'List the requests an API key made in the last 24 hours, newest first; bodies are redacted',
      params: idParams,
      query: requestsQuery,
      csv: { list: 'requests' },
      replies: { 200: requestsReply },
      refusals: ['NOT_FOUND'],
      handle: ({ caller, params, query }) => list(requestLog, caller, params.id, query),
    }),
  ];
}

/** For the keys themselves, which may sign it, and for processors' logins. */
export function ownRequestRoutes(requestLog: RequestLog): Endpoint[] {
  return [
    endpoint({
      id: 'listOwnRequests',
      clientMethod: 'integration.requests',
      method: 'GET',
      path: '/request-log',
      permission: 'own-integration:read',
      summary: 'List the requests one of your API keys made in the last 24 hours, newest first; bodies are redacted',
      description:
        'Shows why an integration does not work: refusals with their reasons, including requests whose signature was not accepted. Use `newer_than` to follow the log. Nothing is kept if the operator has turned the log off.',
      query: ownRequestsQuery,
      csv: { list: 'requests' },
      replies: { 200: requestsReply },
      refusals: ['NOT_FOUND'],
      handle: async ({ caller, query }) => {
        const keyId = query.key_id ?? (caller.kind === 'key' ? caller.id : null);
        if (keyId === null) return refuse('INVALID_REQUEST', 'key_id is required: the caller is not an API key.');
        return list(requestLog, caller, keyId, query);
      },
    }),
  ];
}

async function list(
  requestLog: RequestLog,
  caller: Caller,
  keyId: string,
  query: Static<typeof requestsQuery>,
): Promise<Reply | Refusal> {
  const page = pageOf(query);
  const { status, code, newer_than: newerThan } = query;
  const found = await requestLog.list(caller, { keyId, status, code, newerThan }, page);
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
}
