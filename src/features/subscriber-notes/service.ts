// Notes of staff about a subscriber: added and listed, never changed or deleted.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { Page } from '../../http/paging.ts';
import { newId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { type Holders, noSuchSubscriber } from '../../parties/subscriber.ts';
import { findNote, insertNote, listNotes, type Note } from './store.ts';

export interface SubscriberNotesContext extends ChangeContext {
  holders: Holders;
  pep: PepGuard;
}

export type SubscriberNotes = ReturnType<typeof createSubscriberNotes>;

export function createSubscriberNotes({ database, audit, holders, pep, clock }: SubscriberNotesContext) {
  async function accessRefusal(actor: Actor, subscriberId: string): Promise<Refusal | null> {
    const [holder, pepRefusal] = await Promise.all([
      holders.statusById(subscriberId),
      pep.refusalOf(actor, subscriberId, 'notes'),
    ]);
    return holder ? pepRefusal : noSuchSubscriber('subscriber', 'NOT_FOUND');
  }

  return {
    async list(actor: Actor, subscriberId: string, page: Page): Promise<{ notes: Note[]; total: number } | Refusal> {
      return (await accessRefusal(actor, subscriberId)) ?? listNotes(database.queries, subscriberId, page);
    },

    /** The entry of the audit log has the digest of the note and not its text. */
    async add(actor: Actor, subscriberId: string, text: string): Promise<Note | Refusal> {
      const refusal = await accessRefusal(actor, subscriberId);
      if (refusal) return refusal;
      const id = newId('note', clock);
      const note = { id, subscriber_id: subscriberId, author_id: String(actor.caller.id), text: text.trim() };
      return database.transact(async (trx) => {
        await insertNote(trx, { ...note, created_at: new Date(clock.now()) });
        const details = { subscriber_id: subscriberId };
        const resource = { resourceType: 'subscriber_note', resourceId: id };
        await audit.record(trx, actor, { action: 'subscriber.add_note', ...resource, details });
        return findNote(trx, id);
      });
    },
  };
}
