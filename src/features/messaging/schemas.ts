// Request and response schemas for the messaging bridge and the platform's webhook.
import { type Static, Type } from 'typebox';
import { jsonText } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';

const text = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    description,
    [ERROR_MESSAGE]: `must be text of 1 to ${maxLength} characters`,
  });

export const bridgeBody = Type.Object({
  event: text(64, 'The kind of event, for example message.'),
  message: text(4_096, "The message's text."),
  from: text(128, "The sender's id on the messaging platform."),
  phoneE164: Type.String({
    pattern: '^\\+[1-9]\\d{6,14}$',
    description: "The sender's phone number.",
    [ERROR_MESSAGE]: 'must be a phone number in E.164, such as +23276123456',
  }),
});
export type BridgeBody = Static<typeof bridgeBody>;

export const bridgeReply = Type.Object({
  answer: Type.String(),
  status: Type.Enum(['success', 'error'], {
    description: 'error: no answer was available, and answer contains an apology.',
  }),
});

export const verificationQuery = Type.Object({
  'hub.mode': Type.Optional(Type.String({ description: 'subscribe' })),
  'hub.verify_token': Type.Optional(Type.String()),
  'hub.challenge': Type.Optional(Type.String({ maxLength: 1_024 })),
});

/** Plain text. */
export const challengeReply = Type.Unsafe<string>({
  description: 'hub.challenge, as sent.',
  content: { 'text/plain': { schema: Type.String() } },
});

/** Any content is acknowledged: the platform redelivers refused requests for days. */
export const platformBody = Type.Unsafe<{ object?: string; entry?: string } | null>({
  type: ['object', 'null'],
  description: 'The payload of the WhatsApp Cloud API.',
  properties: {
    object: jsonText('whatsapp_business_account'),
    entry: jsonText('The events. Text messages in changes of the field messages are answered.'),
  },
});

export const acknowledgement = Type.Object({ success: Type.Literal(true) }, { title: 'MessagingAcknowledgement' });
