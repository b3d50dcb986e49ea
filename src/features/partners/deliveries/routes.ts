// Endpoints for webhook deliveries: administrators and their owners see the attempts and replay events.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { WebhookDeliveries } from './service.ts';

/** For the partner or merchant that receives the deliveries; keys may sign the requests. */
export function ownDeliveryRoutes(deliveries: WebhookDeliveries): Endpoint[] {
  return [
    listRoute(deliveries, schemas.ownDeliveriesQuery, {
      id: 'listOwnWebhookDeliveries',
      clientMethod: 'integration.deliveries',
      path: '/webhook-deliveries',
      permission: 'webhooks:read',
      summary: "List the webhook deliveries to the caller's own endpoints with their attempts, newest first",
      description: "To the webhook endpoints, and to a partner's webhook_url.",
    }),
    getRoute(deliveries, {
      id: 'getOwnWebhookDelivery',
      clientMethod: 'integration.delivery',
      path: '/webhook-deliveries/:id',
      permission: 'webhooks:read',
      summary: "Get a webhook delivery to the caller's own endpoint with what each attempt sent and received",
      description:
        'Why an attempt failed, what the endpoint replied, and whether the signature is valid with a current secret.',
    }),
    replayRoute(deliveries, {
      id: 'replayOwnWebhookDelivery',
      summary: 'Replay an event of your own under the same event id, with a new retry schedule',
      clientMethod: 'integration.replayDelivery',
      path: '/webhook-deliveries/:id/replay',
      permission: 'webhooks:write',
    }),
  ];
}

/** For administrators. */
export function webhookDeliveryRoutes(deliveries: WebhookDeliveries): Endpoint[] {
  return [
    listRoute(deliveries, schemas.deliveriesQuery, {
      id: 'listWebhookDeliveries',
      clientMethod: 'webhookDeliveries.list',
      path: '/admin/webhook-deliveries',
      permission: 'partners',
      summary: 'List webhook deliveries with their attempts, newest first',
    }),
    getRoute(deliveries, {
      id: 'getWebhookDelivery',
      clientMethod: 'webhookDeliveries.get',
      path: '/admin/webhook-deliveries/:id',
      permission: 'partners',
      summary: 'Get a webhook delivery with what each attempt sent and received',
      description:
        'For supporting a partner: why an attempt failed, what the endpoint replied, and whether the signature is valid. The secret is never shown.',
    }),
    replayRoute(deliveries, {
      id: 'replayWebhookDelivery',
      summary: 'Replay an event under the same event id, with a new retry schedule',
      clientMethod: 'webhookDeliveries.replay',
      path: '/admin/webhook-deliveries/:id/replay',
      permission: 'partners',
    }),
  ];
}

function replayRoute(
  deliveries: WebhookDeliveries,
  described: Pick<Endpoint, 'id' | 'clientMethod' | 'path' | 'permission' | 'summary'>,
): Endpoint {
  return endpoint({
    ...described,
    method: 'POST',
    description: 'It starts now. The receiver sees the same event id and must ignore what it has already processed.',
    action: 'webhook_delivery.replay',
    params: idParams,
    replies: { 200: schemas.replayReply },
    refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'DELIVERY_IN_PROGRESS'],
    handle: async (call) => {
      const delivery = await deliveries.replay(call, call.params.id);
      if (delivery instanceof Refusal) return delivery;
      return ok({ success: true, message: 'The event will be sent again.', delivery: schemas.deliveryView(delivery) });
    },
  });
}

/** What differs between the routes for partners and those for administrators. */
type Described = Pick<Endpoint, 'id' | 'clientMethod' | 'path' | 'permission' | 'summary' | 'description'>;

function listRoute(
  deliveries: WebhookDeliveries,
  query: typeof schemas.deliveriesQuery | typeof schemas.ownDeliveriesQuery,
  described: Described,
): Endpoint {
  return endpoint({
    ...described,
    readsReplica: true,
    method: 'GET',
    query,
    replies: { 200: schemas.deliveriesReply },
    handle: async (call) => {
      const page = pageOf(call.query);
      const { deliveries: found, total } = await deliveries.list(call, call.query, page);
      return ok({ deliveries: found.map(schemas.listedDeliveryView), total_count: total, ...page });
    },
  });
}

function getRoute(deliveries: WebhookDeliveries, described: Described): Endpoint {
  return endpoint({
    ...described,
    method: 'GET',
    params: idParams,
    replies: { 200: schemas.deliveryReply },
    refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
    handle: async (call) => {
      const delivery = await deliveries.get(call, call.params.id);
      return delivery instanceof Refusal ? delivery : ok({ delivery: schemas.detailedDeliveryView(delivery) });
    },
  });
}
