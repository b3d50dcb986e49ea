// The messages of a phone, for the phone in the lab: what would have been sent by SMS or chat. Not in production.
import { type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { pageOf } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Messaging } from '../messaging/service.ts';
import * as schemas from './schemas.ts';

/** `messaging` is undefined unless the service runs with LAB=on. */
export function labMessageRoutes(messaging: Pick<Messaging, 'outbox'> | undefined, phone: PhoneReader): Endpoint[] {
  return [
    endpoint({
      id: 'listLabMessages',
      clientMethod: 'lab.messages',
      method: 'GET',
      path: '/admin/lab/messages',
      permission: 'lab',
      summary: 'List the messages to a phone number that no provider sent, newest first; not available in production',
      query: schemas.labMessagesQuery,
      replies: { 200: schemas.labMessagesReply },
      csv: false,
      refusals: ['NOT_FOUND'],
      handle: async ({ query }) => {
        if (!messaging) return refuse('NOT_FOUND', 'The lab is off.');
        const to = phone(query.phone_number);
        if (to === null) return refuse('INVALID_REQUEST', 'phone_number is not a telephone number.');
        const page = pageOf(query);
        const { messages, total } = await messaging.outbox(page, to);
        const shown = messages.map(({ id, channel = 'chat', kind, text, createdAt }) => ({
          ...{ id, channel, kind, text, created_at: iso(createdAt) },
        }));
        return ok({ messages: shown, total_count: total, ...page });
      },
    }),
  ];
}
