// Endpoints for administrators to create, read, rotate and revoke API keys.
import { Type } from 'typebox';
import { type Endpoint, endpoint, noContent, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { type Gate, pendingReply } from '../../approvals/service.ts';
import * as schemas from './schemas.ts';
import type { ApiKeys } from './service.ts';

export function apiKeyRoutes(apiKeys: ApiKeys, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'createApiKey',
      clientMethod: 'apiKeys.create',
      method: 'POST',
      path: '/admin/api-keys',
      permission: 'api-keys',
      summary: 'Create an API key; its key and secret are shown once',
      description:
        'Keys of a partner or processor act for that owner only, and get a bearer value only with `"bearer": true`. An approval policy may apply (202).',
      action: 'api_key.create',
      body: schemas.createKeyBody,
      replies: { 201: schemas.createKeyReply, 202: pendingReply },
      handle: (call) => gate.change(call, apiKeys.create),
    }),
    endpoint({
      id: 'listApiKeys',
      clientMethod: 'apiKeys.list',
      method: 'GET',
      path: '/admin/api-keys',
      permission: 'api-keys',
      summary: 'List API keys, newest first',
      query: schemas.keysQuery,
      replies: { 200: schemas.keysReply },
      handle: async ({ query }) => {
        const page = pageOf(query);
        const { rows, total } = await apiKeys.list(query, page);
        return ok({ api_keys: rows.map(schemas.keyView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getApiKey',
      clientMethod: 'apiKeys.get',
      method: 'GET',
      path: '/admin/api-keys/:id',
      permission: 'api-keys',
      summary: 'Get an API key',
      params: idParams,
      replies: { 200: Type.Object({ api_key: schemas.keyRecord }) },
      refusals: ['NOT_FOUND'],
      handle: async ({ params }) => {
        const apiKey = await apiKeys.get(params.id);
        return apiKey instanceof Refusal ? apiKey : ok({ api_key: schemas.keyView(apiKey) });
      },
    }),
    endpoint({
      id: 'updateApiKey',
      clientMethod: 'apiKeys.update',
      method: 'PUT',
      path: '/admin/api-keys/:id',
      permission: 'api-keys',
      summary: 'Rename an API key, remove scopes from it, reduce its daily limit, or let it expire earlier',
      description: 'Scopes can only be removed. Create a new key if you need more.',
      action: 'api_key.update',
      params: idParams,
      body: schemas.updateKeyBody,
      current: async ({ params }) => {
        const apiKey = await apiKeys.get(params.id);
        return apiKey instanceof Refusal ? apiKey : schemas.keyView(apiKey);
      },
      replies: { 200: schemas.updateKeyReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const apiKey = await apiKeys.update(call, call.params.id, call.body);
        if (apiKey instanceof Refusal) return apiKey;
        return ok({ success: true, message: 'The API key was changed.', api_key: schemas.keyView(apiKey) });
      },
    }),
    endpoint({
      id: 'revokeApiKey',
      clientMethod: 'apiKeys.revoke',
      method: 'DELETE',
      path: '/admin/api-keys/:id',
      permission: 'api-keys',
      summary: 'Revoke an API key',
      description: 'The key is refused from the next request on.',
      action: 'api_key.revoke',
      params: idParams,
      replies: { 204: Type.Null({ description: 'The API key is revoked.' }) },
      refusals: ['NOT_FOUND'],
      handle: async (call) => (await apiKeys.revoke(call, call.params.id)) ?? noContent(),
    }),
    endpoint({
      id: 'rotateApiKey',
      clientMethod: 'apiKeys.rotate',
      method: 'POST',
      path: '/admin/api-keys/:id/rotate',
      permission: 'api-keys',
      summary: 'Rotate an API key: issue a new key and secret; the previous ones remain valid for an overlap',
      description: 'Replace the credentials everywhere within the overlap; then the previous ones stop working.',
      action: 'api_key.rotate',
      params: idParams,
      query: schemas.rotateKeyQuery,
      replies: { 200: schemas.rotateKeyReply, 202: pendingReply },
      refusals: ['NOT_FOUND'],
      handle: (call) => gate.change({ ...call, params: { ...call.params, ...call.query } }, apiKeys.rotate),
    }),
  ];
}
