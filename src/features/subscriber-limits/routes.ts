// Endpoint for the limits of a subscriber, and what is used of them.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { limitsReply, limitsView, type SubscriberLimits } from './service.ts';

export function subscriberLimitRoutes(limits: SubscriberLimits): Endpoint[] {
  return [
    endpoint({
      id: 'getSubscriberLimits',
      clientMethod: 'subscribers.limits',
      method: 'GET',
      path: '/subscribers/:id/limits',
      permission: 'balance:read',
      summary: "Get a subscriber's limits and how much of them is used today",
      description:
        'The counters that the ledger checks each payment against. They reset at midnight UTC (`resets_at`). A payment of `remaining` can still be refused for another reason, such as a compliance rule.',
      params: idParams,
      replies: { 200: limitsReply },
      csv: false,
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const found = await limits.limits(call, call.params.id);
        return found instanceof Refusal ? found : ok(limitsView(found));
      },
    }),
  ];
}
