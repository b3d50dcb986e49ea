// Request and response schemas of the messaging bridge and the platform's webhook.
import { type Static, Type } from 'typebox';
import { jsonText } from '../../http/fields.ts';
import { ERROR_MESSAGE } from '../../http/validation.ts';

const text = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    description,
    [ERROR_MESSAGE]: `must be a text of 1 to ${maxLength} characters`,
  });

export const bridgeBody = Type.Object({
  event: text(64, 'What happened, for example message.'),
  message: text(4_096, 'What was written.'),
  from: text(128, "The messaging platform's id of who wrote."),
  phoneE164: Type.String({
    pattern: '^\\+[1-9]\\d{6,14}$',
    description: 'The telephone number of who wrote.',
    [ERROR_MESSAGE]: 'must be a telephone number in E.164, such as +23276123456',
  }),
});
export type BridgeBody = Static<typeof bridgeBody>;

export const bridgeReply = Type.Object({
  answer: Type.String(),
  status: Type.Enum(['success', 'error'], { description: 'error: nobody could answer, and answer says so politely.' }),
});

export const verificationQuery = Type.Object({
  'hub.mode': Type.Optional(Type.String({ description: 'subscribe' })),
  'hub.verify_token': Type.Optional(Type.String()),
  'hub.challenge': Type.Optional(Type.String({ maxLength: 1_024 })),
});

/** Plain text. */
export const challengeReply = Type.Unsafe<string>({
  description: 'hub.challenge, as it was sent.',
  content: { 'text/plain': { schema: Type.String() } },
});

/** Any content is acknowledged: the platform redelivers refused requests for days. */
export const platformBody = Type.Unsafe<{ object?: string; entry?: string } | null>({
  type: ['object', 'null'],
  description: 'The payload of the WhatsApp Cloud API.',
  properties: {
    object: jsonText('whatsapp_business_account'),
    entry: jsonText('What happened; of changes of messages, texts are answered.'),
  },
});

export const acknowledgement = Type.Object({ success: Type.Literal(true) });
