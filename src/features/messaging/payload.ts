// Reads what the messaging platform posts: the messages in it, whatever else is in it too.
import { Type } from 'typebox';
import { Check } from 'typebox/value';

export interface PlatformMessage {
  /** The platform's. */
  id: string;
  /** The platform's name for who wrote: the digits of a telephone number. */
  from: string;
  /** Null: something other than text that people send and expect an answer to. */
  text: string | null;
}

export interface PlatformPost {
  messages: PlatformMessage[];
  /** What was passed over and why, for the log: never what people wrote. */
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

/** What people send instead of writing. Reactions, deletions and the platform's own notes expect no answer. */
const SPEAKING = ['image', 'audio', 'voice', 'video', 'document', 'sticker', 'location', 'contacts'];

/** `entry` of the payload, parsed. Each part is looked at by itself: one that is not understood takes no other along. */
export function readPlatformPost(entry: unknown): PlatformPost {
  const post: PlatformPost = { messages: [], unknown: [] };
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
  // Whether what we sent has been delivered or read is nothing we act upon.
  if (messages === undefined && statuses === undefined) post.unknown.push('change');
  for (const message of messages ?? []) readMessage(message, post);
}

function readMessage(message: unknown, { messages, unknown }: PlatformPost): void {
  if (!Check(envelope, message)) {
    unknown.push('message');
    return;
  }
  const { id, from, type } = message;
  if (type === 'text' && Check(textBody, message)) messages.push({ id, from, text: message.text.body });
  else if (SPEAKING.includes(type)) messages.push({ id, from, text: null });
  else unknown.push(`message of type ${type}`);
}
