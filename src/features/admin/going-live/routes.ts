// Endpoints for what administrators confirm before going live.
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { GoingLive } from './service.ts';

export function goingLiveRoutes(goingLive: GoingLive): Endpoint[] {
  return [
    endpoint({
      id: 'listGoingLiveItems',
      clientMethod: 'goingLive.list',
      method: 'GET',
      path: '/admin/going-live',
      permission: 'production:read',
      summary: 'What administrators confirm before going live, and who confirmed it',
      description: 'What the service cannot check itself. GET /health/production has what it can.',
      csv: false,
      replies: { 200: schemas.itemsReply },
      handle: async () => ok({ items: await goingLive.list() }),
    }),
    endpoint({
      id: 'confirmGoingLiveItem',
      clientMethod: 'goingLive.confirm',
      method: 'POST',
      path: '/admin/going-live/:item/confirm',
      permission: 'production:confirm',
      summary: 'Confirm an item with a note; replaces an earlier confirmation',
      action: 'going_live.confirm',
      params: schemas.itemParams,
      body: schemas.confirmBody,
      replies: { 200: schemas.itemReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const item = await goingLive.confirm(call, call.params.item, call.body.note);
        if (item instanceof Refusal) return item;
        return ok({ success: true, message: 'The item is confirmed.', item });
      },
    }),
    endpoint({
      id: 'withdrawGoingLiveItem',
      clientMethod: 'goingLive.withdraw',
      method: 'POST',
      path: '/admin/going-live/:item/withdraw',
      permission: 'production:confirm',
      summary: 'Withdraw the confirmation of an item',
      action: 'going_live.withdraw',
      params: schemas.itemParams,
      replies: { 200: schemas.itemReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const item = await goingLive.withdraw(call, call.params.item);
        if (item instanceof Refusal) return item;
        return ok({ success: true, message: 'The item is no longer confirmed.', item });
      },
    }),
  ];
}
