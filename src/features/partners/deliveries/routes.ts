// Endpoints of webhook deliveries: their attempts, for administrators and for the partner; administrators replay them.
import type { Static } from 'typebox';
import type { Actor } from '../../../audit/log.ts';
import { type Endpoint, endpoint, ok, type Reply } from '../../../http/endpoint.ts';
import { idParams } from '../../../http/fields.ts';
import { pageOf } from '../../../http/paging.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import {
  deliveriesQuery,
  deliveriesReply,
  deliveryReply,
  deliveryView,
  detailedDeliveryView,
  listedDeliveryView,
  ownDeliveriesQuery,
  replayReply,
} from './schemas.ts';
import type { WebhookDeliveries } from './service.ts';

/** For the keys of the partner that they are sent to, which may sign them. A processor has none. */
export function ownDeliveryRoutes(deliveries: WebhookDeliveries): Endpoint[] {
  return [
    endpoint({
      id: 'listOwnWebhookDeliveries',
      clientMethod: 'integration.deliveries',
      readsReplica: true,
      method: 'GET',
      path: '/webhook-deliveries',
      permission: 'own-integration:read',
      summary: "List the webhook deliveries to the caller's own endpoint with their attempts, newest first",
      description: 'Partners have webhooks; the list of a processor is empty.',
      query: ownDeliveriesQuery,
      replies: { 200: deliveriesReply },
      handle: (call) => list(deliveries, call, call.query),
    }),
    endpoint({
      id: 'getOwnWebhookDelivery',
      clientMethod: 'integration.delivery',
      method: 'GET',
      path: '/webhook-deliveries/:id',
      permission: 'own-integration:read',
      summary: "Get a webhook delivery to the caller's own endpoint with what each attempt sent and received",
      description:
        'Shows why an attempt failed, what the endpoint replied, and whether the signature is valid with a current secret.',
      params: idParams,
      replies: { 200: deliveryReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: (call) => get(deliveries, call, call.params.id),
    }),
  ];
}

/** For administrators. */
export function webhookDeliveryRoutes(deliveries: WebhookDeliveries): Endpoint[] {
  return [
    endpoint({
      id: 'listWebhookDeliveries',
      clientMethod: 'webhookDeliveries.list',
      readsReplica: true,
      method: 'GET',
      path: '/admin/webhook-deliveries',
      permission: 'partners',
      summary: 'List webhook deliveries with their attempts, newest first',
      query: deliveriesQuery,
      replies: { 200: deliveriesReply },
      handle: (call) => list(deliveries, call, call.query),
    }),
    endpoint({
      id: 'getWebhookDelivery',
      clientMethod: 'webhookDeliveries.get',
      method: 'GET',
      path: '/admin/webhook-deliveries/:id',
      permission: 'partners',
      summary: 'Get a webhook delivery with what each attempt sent and received',
      description:
        'For helping a partner: shows why an attempt failed, what the endpoint replied, and whether the signature is valid. The secret is never shown.',
      params: idParams,
      replies: { 200: deliveryReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: (call) => get(deliveries, call, call.params.id),
    }),
    endpoint({
      id: 'replayWebhookDelivery',
      clientMethod: 'webhookDeliveries.replay',
      method: 'POST',
      path: '/admin/webhook-deliveries/:id/replay',
      permission: 'partners',
      summary: 'Replay an event under the same event id, with a new retry schedule that starts now',
      description: 'The receiver sees the same event id and must ignore what it has already processed.',
      action: 'webhook_delivery.replay',
      params: idParams,
      replies: { 200: replayReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED', 'DELIVERY_IN_PROGRESS'],
      handle: async (call) => {
        const delivery = await deliveries.replay(call, call.params.id);
        if (delivery instanceof Refusal) return delivery;
        return ok({ success: true, message: 'The event will be sent again.', delivery: deliveryView(delivery) });
      },
    }),
  ];
}

async function list(
  deliveries: WebhookDeliveries,
  actor: Actor,
  query: Static<typeof deliveriesQuery>,
): Promise<Reply> {
  const page = pageOf(query);
  const { deliveries: found, total } = await deliveries.list(actor, query, page);
  return ok({ deliveries: found.map(listedDeliveryView), total_count: total, ...page });
}

async function get(deliveries: WebhookDeliveries, actor: Actor, id: string): Promise<Reply | Refusal> {
  const delivery = await deliveries.get(actor, id);
  return delivery instanceof Refusal ? delivery : ok({ delivery: detailedDeliveryView(delivery) });
}
