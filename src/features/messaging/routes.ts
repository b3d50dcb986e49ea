// Endpoints for the messaging bridge and of the messaging platform's webhook.
import { type Endpoint, endpoint, ok, okOrRefusal } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { Conversations } from './service.ts';

export function bridgeRoutes(
  conversations: Conversations,
  { permission }: { permission: 'messaging:bridge' | 'anyone' },
): Endpoint[] {
  return [
    endpoint({
      id: 'simulateMessage',
      clientMethod: 'messaging.simulate',
      method: 'POST',
      path: '/messaging',
      permission,
      summary: 'Send a message as a user of the messaging platform would, to test the conversation',
      description:
        'The reply has the answer the messaging platform would send. Nothing is sent to a phone. In production it needs a bearer token or a service signature, because the answer reveals whether a number is registered.',
      perIpLimit: 'bridge',
      lane: 'conversations',
      body: schemas.bridgeBody,
      replies: { 200: schemas.bridgeReply },
      handle: async ({ body, requestId }) => okOrRefusal(await conversations.bridge(body, requestId)),
    }),
  ];
}

export function verificationRoutes(conversations: Conversations): Endpoint[] {
  return [
    endpoint({
      id: 'verifyMessagingWebhook',
      clientMethod: 'messaging.verifyWebhook',
      method: 'GET',
      path: '/messaging',
      permission: 'anyone',
      summary: 'Verify the webhook for the messaging platform',
      description: "The platform calls it once, when the operator registers the webhook's address.",
      perIpLimit: 'platform',
      query: schemas.verificationQuery,
      ignoresQuery: true,
      replies: { 200: schemas.challengeReply },
      refusals: ['FORBIDDEN'],
      handle: ({ query }) => {
        const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
        const echoed = conversations.verify({ mode, token, challenge });
        if (echoed instanceof Refusal) return echoed;
        return { status: 200, body: echoed, headers: { 'content-type': 'text/plain; charset=utf-8' } };
      },
    }),
  ];
}

/** `signed`: the request was authenticated. Unauthenticated requests are limited per IP address. */
export function platformRoutes(conversations: Conversations, { signed }: { signed: boolean }): Endpoint[] {
  return [
    endpoint({
      id: 'receiveMessages',
      clientMethod: 'messaging.receive',
      method: 'POST',
      path: '/messaging',
      permission: 'anyone',
      summary: 'Receive up to 100 messages from the messaging platform; each is answered once, on the platform',
      description: 'Answers go back to the sender on the platform, not in this reply.',
      ...(signed ? {} : { perIpLimit: 'platform' as const }),
      body: schemas.platformBody,
      ignoresQuery: true,
      replies: { 200: schemas.acknowledgement },
      refusals: ['INVALID_SIGNATURE'],
      handle: async ({ body, caller }) =>
        (await conversations.receive(body?.entry, caller.kind === 'service')) ?? ok({ success: true }),
    }),
  ];
}
