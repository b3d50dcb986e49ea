// Endpoints for administrators: list webhook deliveries with their attempts, and get or replay one.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
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
  replayReply,
} from './schemas.ts';
import type { WebhookDeliveries } from './service.ts';

export function webhookDeliveryRoutes(deliveries: WebhookDeliveries): Endpoint[] {
  return [
    endpoint({
      id: 'listWebhookDeliveries',
      readsReplica: true,
      method: 'GET',
      path: '/admin/webhook-deliveries',
      permission: 'partners',
      summary: 'List webhook deliveries with their attempts, newest first',
      query: deliveriesQuery,
      replies: { 200: deliveriesReply },
      handle: async (call) => {
        const page = pageOf(call.query);
        const { deliveries: found, total } = await deliveries.list(call, call.query, page);
        return ok({ deliveries: found.map(listedDeliveryView), total_count: total, ...page });
      },
    }),
    endpoint({
      id: 'getWebhookDelivery',
      method: 'GET',
      path: '/admin/webhook-deliveries/:id',
      permission: 'partners',
      summary: 'Get a webhook delivery with what each attempt sent and received',
      params: idParams,
      replies: { 200: deliveryReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const delivery = await deliveries.get(call, call.params.id);
        return delivery instanceof Refusal ? delivery : ok({ delivery: detailedDeliveryView(delivery) });
      },
    }),
    endpoint({
      id: 'replayWebhookDelivery',
      method: 'POST',
      path: '/admin/webhook-deliveries/:id/replay',
      permission: 'partners',
      summary: 'Replay an event under the same event id, with a new retry schedule that starts now',
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
