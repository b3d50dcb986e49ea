// Endpoints for staff notes about a subscriber.
import { created, type Endpoint, endpoint, ok } from '../../http/endpoint.ts';
import { idParams } from '../../http/fields.ts';
import { pageOf } from '../../http/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import * as schemas from './schemas.ts';
import type { SubscriberNotes } from './service.ts';

export function subscriberNoteRoutes(notes: SubscriberNotes): Endpoint[] {
  return [
    endpoint({
      id: 'listSubscriberNotes',
      clientMethod: 'subscribers.notes',
      method: 'GET',
      path: '/subscribers/:id/notes',
      permission: 'subscribers:notes',
      summary: 'List staff notes about a subscriber, newest first',
      params: idParams,
      query: schemas.notesQuery,
      replies: { 200: schemas.notesReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const page = pageOf(call.query);
        const found = await notes.list(call, call.params.id, page);
        if (found instanceof Refusal) return found;
        return ok({ notes: found.notes.map(schemas.noteView), total_count: found.total, ...page });
      },
    }),
    endpoint({
      id: 'addSubscriberNote',
      clientMethod: 'subscribers.addNote',
      method: 'POST',
      path: '/subscribers/:id/notes',
      permission: 'subscribers:notes',
      summary: 'Add a note about a subscriber; notes cannot be changed or deleted',
      description:
        "For support and compliance. A note records its author and time, and has at most 2,000 characters. The audit log contains the note's digest, not its text. To correct a note, add another.",
      action: 'subscriber.add_note',
      params: idParams,
      body: schemas.addNoteBody,
      replies: { 201: schemas.noteReply },
      refusals: ['NOT_FOUND', 'PEP_ACCESS_REQUIRED'],
      handle: async (call) => {
        const note = await notes.add(call, call.params.id, call.body.text);
        if (note instanceof Refusal) return note;
        return created({ success: true, message: 'The note was added.', note: schemas.noteView(note) });
      },
    }),
  ];
}
