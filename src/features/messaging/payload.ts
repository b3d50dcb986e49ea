// Parses requests of the messaging platform: extracts the messages and skips everything else.
import { Type } from 'typebox';
import { Check } from 'typebox/value';

export interface PlatformMessage {
  /** Assigned by the platform. */
  id: string;
  /** The sender's id on the platform: the digits of a phone number. */
  from: string;
  /** Null for messages without text that still expect an answer, such as images. */
  text: string | null;
}

export interface PlatformPost {
  messages: PlatformMessage[];
  /** The number of messages in the request, including those that were skipped. */
  count: number;
  /** What was skipped, for the log. Never contains message texts. */
  unknown: string[];
}

const list = Type.Array(Type.Unknown());
const entryWithChanges = Type.Object({ changes: list });
const changeOfMessages = Type.Object({
  field: Type.Literal('messages'),
  value: Type.Object({ messages: Type.Optional(list), statuses: Type.Optional(Type.Unknown()) }),
});
const envelope = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 512, pattern: '^[\\x21-\\x7e]+$' }),
  from: Type.String({ pattern: '^[1-9]\\d{4,14}$' }),
  type: Type.String({ maxLength: 32, pattern: '^\\w+$' }),
});
const textBody = Type.Object({ text: Type.Object({ body: Type.String({ minLength: 1, maxLength: 65_536 }) }) });

/** Types without text that expect an answer. Reactions, deletions and platform notices do not. */
const ANSWERED_WITHOUT_TEXT = ['image', 'audio', 'voice', 'video', 'document', 'sticker', 'location', 'contacts'];

/** `entry` is the parsed field of the payload. Each part is validated alone: an invalid one is skipped. */
export function readPlatformPost(entry: unknown): PlatformPost {
  const post: PlatformPost = { messages: [], count: 0, unknown: [] };
  if (!Check(list, entry)) return { ...post, unknown: ['entry'] };
  for (const one of entry) {
    if (!Check(entryWithChanges, one)) post.unknown.push('entry');
    else for (const change of one.changes) readChange(change, post);
  }
  return post;
}

function readChange(change: unknown, post: PlatformPost): void {
  if (!Check(changeOfMessages, change)) {
    post.unknown.push('change');
    return;
  }
  const { messages, statuses } = change.value;
  // Delivery and read receipts are ignored.
  if (messages === undefined && statuses === undefined) post.unknown.push('change');
  post.count += messages?.length ?? 0;
  for (const message of messages ?? []) readMessage(message, post);
}

function readMessage(message: unknown, { messages, unknown }: PlatformPost): void {
  if (!Check(envelope, message)) {
    unknown.push('message');
    return;
  }
  const { id, from, type } = message;
  if (type === 'text' && Check(textBody, message)) messages.push({ id, from, text: message.text.body });
  else if (ANSWERED_WITHOUT_TEXT.includes(type)) messages.push({ id, from, text: null });
  else unknown.push(`message of type ${type}`);
}
