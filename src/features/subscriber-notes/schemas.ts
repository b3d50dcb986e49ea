// Request and response schemas for the notes of staff about a subscriber.
import { type Static, Type } from 'typebox';
import { freeText, textOrNull, timestamp } from '../../http/fields.ts';
import { listQuery, listReply } from '../../http/paging.ts';
import { iso } from '../../kernel/clock.ts';
import type { Note } from './store.ts';

const noteRecord = Type.Object(
  {
    id: Type.String(),
    subscriber_id: Type.String(),
    text: Type.String({ description: 'As it was written; may have several lines.' }),
    author_id: Type.String({ description: "A user's id." }),
    author_name: textOrNull('First and last name.'),
    created_at: timestamp(),
  },
  { title: 'SubscriberNote' },
);

export const addNoteBody = Type.Object({ text: freeText('What other staff should know.') });
export const noteReply = Type.Object({ success: Type.Literal(true), message: Type.String(), note: noteRecord });
export const notesQuery = listQuery({});
export const notesReply = listReply('notes', noteRecord);

export function noteView({ created_at, ...note }: Note): Static<typeof noteRecord> {
  return { ...note, created_at: iso(created_at) };
}
