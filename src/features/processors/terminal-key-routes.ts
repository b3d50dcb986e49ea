// Endpoints for the API keys of a processor's terminals and apps, and of its further logins.
import { Type } from 'typebox';
import { created, type Endpoint, endpoint, noContent, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { listQuery, pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { createKeyReply, issuedBody } from '../admin/api-keys/service.ts';
import { type Gate, pendingReply } from '../approvals/service.ts';
import { loginBody, loginReply } from './logins.ts';
import { ownKeyBody, ownKeyParams } from './own-keys.ts';
import type { Processors } from './service.ts';
import { terminalKeysReply, terminalKeyView } from './terminal-keys.ts';

export function terminalKeyRoutes(processors: Processors, gate: Gate): Endpoint[] {
  return [
    endpoint({
      id: 'createOwnKey',
      clientMethod: 'processors.createKey',
      method: 'POST',
      path: '/processors/:id/keys',
      permission: 'own-keys:write',
      summary: 'As a login of the processor: create an API key that takes payments; its secret is shown once',
      action: 'api_key.create',
      params: idParams,
      body: ownKeyBody,
      replies: { 201: createKeyReply },
      refusals: ['NOT_FOUND', 'PROCESSOR_SUSPENDED'],
      handle: async (call) => {
        const issued = await processors.ownKeys.create(call, call.params.id, call.body);
        if (issued instanceof Refusal) return issued;
        return created(issuedBody(issued, 'The API key was created. Its secret is shown only once.'));
      },
    }),
    endpoint({
      id: 'revokeOwnKey',
      clientMethod: 'processors.revokeKey',
      method: 'DELETE',
      path: '/processors/:id/keys/:key_id',
      permission: 'own-keys:write',
      summary: 'As a login of the processor: revoke an API key that takes payments',
      action: 'api_key.revoke',
      params: ownKeyParams,
      replies: { 204: Type.Null({ description: 'The API key is revoked.' }) },
      refusals: ['NOT_FOUND'],
      handle: async (call) => (await processors.ownKeys.revoke(call, call.params)) ?? noContent(),
    }),
    endpoint({
      id: 'createProcessorLogin',
      clientMethod: 'processors.createUser',
      method: 'POST',
      path: '/processors/:id/users',
      permission: 'users',
      summary: 'Give a processor another login; its temporary password is sent to its phone number',
      action: 'user.create',
      params: idParams,
      body: loginBody,
      replies: { 201: loginReply, 202: pendingReply },
      refusals: ['NOT_FOUND', 'PROCESSOR_SUSPENDED', 'USER_EXISTS', 'DUPLICATE_PHONE'],
      handle: (call) => gate.change(call, processors.createLoginOperation),
    }),
    endpoint({
      id: 'listTerminalKeys',
      clientMethod: 'processors.terminalKeys',
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
