// What administrators confirm before going live, with a note: what the service cannot check itself.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { ITEMS, type Item, isItem, itemView } from './schemas.ts';
import { deleteConfirmation, listConfirmations, saveConfirmation } from './store.ts';

export type GoingLiveContext = ChangeContext;
export type GoingLive = ReturnType<typeof createGoingLive>;
export type GoingLiveItem = ReturnType<typeof itemView>;

const RESOURCE = 'going_live_item';

export function createGoingLive({ database, audit, clock }: GoingLiveContext) {
  return {
    async list(): Promise<GoingLiveItem[]> {
      const found = new Map((await listConfirmations(database.queries)).map((row) => [row.item, row]));
      return ITEMS.map((item) => itemView(item, found.get(item)));
    },

    async confirm(actor: Actor, item: string, text: string): Promise<GoingLiveItem | Refusal> {
      if (!isItem(item)) return refuse('NOT_FOUND', `There is no such item: it is one of ${ITEMS.join(', ')}.`);
      const note = text.trim();
      const row = { item, note, confirmed_by: String(actor.caller.id), confirmed_at: new Date(clock.now()) };
      return database.transact(async (trx) => {
        await saveConfirmation(trx, row);
        await audit.record(trx, actor, {
          action: 'going_live.confirm',
          resourceType: RESOURCE,
          resourceId: item,
          details: { note },
        });
        const found = await listConfirmations(trx);
        return itemView(
          item,
          found.find((each) => each.item === item),
        );
      });
    },

    /** For a confirmation that was a mistake, or is no longer true. */
    withdraw(actor: Actor, item: string): Promise<GoingLiveItem | Refusal> {
      return database.transact(async (trx) => {
        const deleted = await deleteConfirmation(trx, item);
        if (!deleted) return refuse('NOT_FOUND', 'Nobody has confirmed this item.');
        await audit.record(trx, actor, {
          action: 'going_live.withdraw',
          resourceType: RESOURCE,
          resourceId: item,
          details: { note: deleted.note, confirmed_by: deleted.confirmed_by },
        });
        return itemView(item as Item, undefined);
      });
    },
  };
}
