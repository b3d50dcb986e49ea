// Endpoints with which merchants and partners manage where their webhooks go, and staff for them.
import { Type } from 'typebox';
import { created, type Endpoint, endpoint, noContent, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { WebhookEndpoints } from './service.ts';

const SHOWN_ONCE = 'The secret is shown only once.';

export function webhookEndpointRoutes(endpoints: WebhookEndpoints): Endpoint[] {
  return [...readRoutes(endpoints), ...changeRoutes(endpoints), ...secretRoutes(endpoints)];
}

function readRoutes(endpoints: WebhookEndpoints): Endpoint[] {
  return [
    endpoint({
      id: 'listWebhookEndpoints',
      clientMethod: 'webhookEndpoints.list',
      method: 'GET',
      path: '/webhook-endpoints',
      permission: 'webhooks:read',
      summary: "List the caller's webhook endpoints, newest first",
      description: 'Staff see those of all merchants and partners.',
      query: schemas.endpointsQuery,
      replies: { 200: schemas.endpointsReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { rows, total } = await endpoints.list(call, call.query, page);
        return ok({ webhook_endpoints: rows.map(schemas.endpointView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getWebhookEndpoint',
      clientMethod: 'webhookEndpoints.get',
      method: 'GET',
      path: '/webhook-endpoints/:id',
      permission: 'webhooks:read',
      summary: 'Get a webhook endpoint',
      params: idParams,
      replies: { 200: schemas.endpointReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const found = await endpoints.get(call, call.params.id);
        return found instanceof Refusal ? found : ok({ webhook_endpoint: schemas.endpointView(found) });
      },
    }),
  ];
}

function changeRoutes(endpoints: WebhookEndpoints): Endpoint[] {
  return [
    endpoint({
      id: 'createWebhookEndpoint',
      clientMethod: 'webhookEndpoints.create',
      method: 'POST',
      path: '/webhook-endpoints',
      permission: 'webhooks:write',
      summary: 'Create a webhook endpoint; its secret is shown once',
      description:
        'A merchant or partner has up to 5. Each gets the events that it chose, signed with its own secret by the X-Hook headers and by Standard Webhooks.',
      action: 'webhook_endpoint.create',
      body: schemas.createBody,
      replies: { 201: schemas.secretReply },
      refusals: ['NOT_FOUND', 'WEBHOOK_ENDPOINT_LIMIT'],
      handle: async (call) => {
        const made = await endpoints.create(call, call.body);
        if (made instanceof Refusal) return made;
        const message = `The webhook endpoint was created. ${SHOWN_ONCE}`;
        const webhook_endpoint = schemas.endpointView(made.endpoint);
        return created({ success: true, message, webhook_endpoint, secret: made.secret });
      },
    }),
    endpoint({
      id: 'updateWebhookEndpoint',
      clientMethod: 'webhookEndpoints.update',
      method: 'PUT',
      path: '/webhook-endpoints/:id',
      permission: 'webhooks:write',
      summary: "Change a webhook endpoint's address or events; omitted fields keep their values",
      description: 'Events that wait for delivery go to the new address.',
      action: 'webhook_endpoint.update',
      params: idParams,
      body: schemas.updateBody,
      current: async (call) => {
        const found = await endpoints.get(call, call.params.id);
        return found instanceof Refusal ? found : schemas.endpointView(found);
      },
      replies: { 200: schemas.updateReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const updated = await endpoints.update(call, call.params.id, call.body);
        if (updated instanceof Refusal) return updated;
        const message = 'The webhook endpoint was updated.';
        return ok({ success: true, message, webhook_endpoint: schemas.endpointView(updated) });
      },
    }),
    endpoint({
      id: 'deleteWebhookEndpoint',
      clientMethod: 'webhookEndpoints.delete',
      method: 'DELETE',
      path: '/webhook-endpoints/:id',
      permission: 'webhooks:write',
      summary: 'Delete a webhook endpoint; what waits for delivery to it is not sent',
      action: 'webhook_endpoint.delete',
      params: idParams,
      replies: { 204: Type.Null({ description: 'The webhook endpoint is deleted.' }) },
      refusals: ['NOT_FOUND'],
      handle: async (call) => (await endpoints.remove(call, call.params.id)) ?? noContent(),
    }),
  ];
}

function secretRoutes(endpoints: WebhookEndpoints): Endpoint[] {
  return [
    endpoint({
      id: 'rotateWebhookEndpointSecret',
      clientMethod: 'webhookEndpoints.rotateSecret',
      method: 'POST',
      path: '/webhook-endpoints/:id/rotate-secret',
      permission: 'webhooks:write',
      summary: "Rotate a webhook endpoint's secret; the old one signs too for another day",
      description:
        "During the overlap Webhook-Signature has two signatures, and X-Hook-Signature-Previous the old secret's.",
      action: 'webhook_endpoint.rotate_secret',
      params: idParams,
      body: schemas.rotateBody,
      bodyOptional: true,
      replies: { 200: schemas.secretReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const rotated = await endpoints.rotate(call, call.params.id, call.body.overlap_seconds);
        if (rotated instanceof Refusal) return rotated;
        const message = `The secret was rotated. ${SHOWN_ONCE}`;
        const webhook_endpoint = schemas.endpointView(rotated.endpoint);
        return ok({ success: true, message, webhook_endpoint, secret: rotated.secret });
      },
    }),
    endpoint({
      id: 'testWebhookEndpoint',
      clientMethod: 'webhookEndpoints.test',
      method: 'POST',
      path: '/webhook-endpoints/:id/test',
      permission: 'webhooks:write',
      summary: 'Send a test event to a webhook endpoint',
      description:
        '`endpoint.test`, or outside production an example of any event, whether the endpoint chose it or not.',
      action: 'webhook_endpoint.test',
      params: idParams,
      body: schemas.testBody,
      bodyOptional: true,
      replies: { 200: schemas.testReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const sent = await endpoints.test(call, call.params.id, call.body.type);
        if (sent instanceof Refusal) return sent;
        return ok({ success: true, message: 'The test event will be sent.', delivery_id: sent });
      },
    }),
  ];
}
