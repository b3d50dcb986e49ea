// Endpoints for what customers, agents and merchants choose about their notices.
import type { Actor } from '../../audit/log.ts';
import { ofCustomer } from '../../http/customer-call.ts';
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { newDeviceRefusal } from '../../parties/new-device.ts';
import * as schemas from './schemas.ts';
import type { NoticeSettings, Settings } from './settings.ts';

export function ownNotificationRoutes(settings: Settings): Endpoint[] {
  const view = (chosen: NoticeSettings) => ({ ...chosen, channels: [...chosen.channels] });
  const shown = async (id: string) =>
    ok({ notifications: view(await settings.of(id)), available_channels: [...settings.offered] });
  const changed = (chosen: NoticeSettings | Refusal) =>
    chosen instanceof Refusal
      ? chosen
      : ok({ success: true, message: 'The notification settings were saved.', notifications: view(chosen) });
  return [
    endpoint({
      id: 'getOwnNotifications',
      clientMethod: 'me.notifications',
      method: 'GET',
      path: '/me/notifications',
      permission: 'me:read',
      summary: 'Get the language and channels of your notices, and whether payments are told',
      replies: { 200: schemas.settingsReply },
      csv: false,
      handle: (call) => shown(ofCustomer(call).caller.id),
    }),
    endpoint({
      id: 'updateOwnNotifications',
      clientMethod: 'me.updateNotifications',
      method: 'PUT',
      path: '/me/notifications',
      permission: 'me:manage',
      summary: 'Change the language and channels of your notices, and whether payments are told; omitted fields stay',
      description: 'Notices about security cannot be switched off. A new device cannot change them for 24 hours.',
      action: 'notifications.update',
      body: schemas.changeBody,
      current: async (call) => view(await settings.of(ofCustomer(call).caller.id)),
      replies: { 200: schemas.changeReply },
      refusals: ['NEW_DEVICE'],
      handle: async (call) => {
        const actor = ofCustomer(call);
        const refusal = newDeviceRefusal(actor.caller);
        return refusal ?? changed(await settings.change(actor, actor.caller.id, call.body));
      },
    }),
    endpoint({
      id: 'getBusinessNotifications',
      clientMethod: 'notifications.get',
      method: 'GET',
      path: '/admin/notifications',
      permission: 'own-account',
      summary: 'Get how your agent or merchant is told of payments; off unless it was switched on',
      replies: { 200: schemas.settingsReply },
      csv: false,
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const id = business(call);
        return id === null ? noBusiness() : shown(id);
      },
    }),
    endpoint({
      id: 'updateBusinessNotifications',
      clientMethod: 'notifications.update',
      method: 'PUT',
      path: '/admin/notifications',
      permission: 'own-account',
      summary: 'Change how your agent or merchant is told of payments; omitted fields stay',
      action: 'notifications.update',
      body: schemas.changeBody,
      current: async (call) => {
        const id = business(call);
        return id === null ? noBusiness() : view(await settings.of(id));
      },
      replies: { 200: schemas.changeReply },
      refusals: ['NOT_FOUND'],
      handle: async (call) => {
        const id = business(call);
        return id === null ? noBusiness() : changed(await settings.change(call, id, call.body));
      },
    }),
  ];
}

/** The agent or merchant of the login. */
function business({ caller }: Actor): string | null {
  return caller.kind === 'user' ? (caller.agentId ?? caller.processorId) : null;
}

function noBusiness(): Refusal {
  return refuse('NOT_FOUND', 'Your login belongs to no agent and no merchant.');
}
