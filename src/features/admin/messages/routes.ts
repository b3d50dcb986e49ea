// Endpoint that lists the local outbox, for development without a messaging platform.
import { Type } from 'typebox';
import { type Endpoint, endpoint, ok } from '../../../http/endpoint.ts';
import { line, timestamp } from '../../../http/fields.ts';
import { listQuery, listReply, pageOf } from '../../../http/paging.ts';
import { iso } from '../../../kernel/clock.ts';
import type { AppEnv } from '../../../kernel/config/config.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Messaging } from '../../messaging/service.ts';

const message = Type.Object(
  {
    id: Type.String(),
    to: Type.String(),
    kind: Type.String(),
    text: Type.String(),
    created_at: timestamp(),
  },
  { title: 'OutboxMessage' },
);

/** Not available in production, because messages contain credentials and one-time codes. */
export function messageRoutes(messaging: Messaging, appEnv: AppEnv): Endpoint[] {
  return [
    endpoint({
      id: 'listMessages',
      clientMethod: 'messages.list',
      readsReplica: true,
      method: 'GET',
      path: '/admin/messages',
      permission: 'messages',
      summary: 'List the messages of the local outbox, newest first; not available in production',
      description: 'It contains codes and temporary passwords, so that a developer needs no phone.',
      query: listQuery({ to: Type.Optional(line(100, 'The phone number or email address.')) }),
      replies: { 200: listReply('messages', message) },
      refusals: ['NOT_FOUND'],
      handle: async ({ query }) => {
        if (appEnv === 'production') return refuse('NOT_FOUND', 'The outbox is not available in production.');
        const page = pageOf(query);
        const { messages, total } = await messaging.outbox(page, query.to);
        const shown = messages.map(({ id, to, kind, text, createdAt }) => ({
          id,
          to,
          kind,
          text,
          created_at: iso(createdAt),
        }));
        return ok({ messages: shown, total_count: total, ...page });
      },
    }),
  ];
}
