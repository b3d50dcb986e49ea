// Saved console views: a name for a screen with its filters, for one user or all staff with the same role.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import { isStaff, type UserCaller } from '../../../auth/caller.ts';
import type { Page } from '../../../http/paging.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import type { NewView } from './schemas.ts';
import { deleteView, findView, insertView, listViews, lockedCount, type SavedView } from './store.ts';

export type SavedViewsContext = ChangeContext;

export type SavedViews = ReturnType<typeof createSavedViews>;

const MAX_VIEWS = 100;
const RESOURCE = 'saved_view';

export function createSavedViews({ database, audit, clock }: SavedViewsContext) {
  return {
    list({ caller }: Actor, screen: string | undefined, page: Page) {
      return listViews(database.queries, caller as UserCaller, screen, page);
    },

    async create(actor: Actor, { name, screen, query, shared = false }: NewView): Promise<SavedView | Refusal> {
      const { caller } = actor;
      // Agents and merchants of one role do not belong to one organization.
      if (shared && !isStaff(caller)) return refuse('FORBIDDEN', 'Only staff can share views.');
      const [id, userId] = [newId('view', clock), String(caller.id)];
      const view = { id, user_id: userId, name: tidy(name), screen, query, shared, created_at: new Date(clock.now()) };
      return database.transact(async (trx) => {
        if ((await lockedCount(trx, userId)) >= MAX_VIEWS) return limitReached();
        if (!(await insertView(trx, view))) return nameTaken();
        const details = { name: view.name, screen, shared };
        await audit.record(trx, actor, {
          action: 'saved_view.create',
          resourceType: RESOURCE,
          resourceId: id,
          details,
        });
        return findView(trx, id);
      });
    },

    remove(actor: Actor, id: string): Promise<Refusal | null> {
      return database.transact(async (trx) => {
        const deleted = await deleteView(trx, String(actor.caller.id), id);
        if (!deleted) return refuse('NOT_FOUND', 'You have no such view.');
        const { name, screen, shared } = deleted;
        const details = { name, screen, shared };
        await audit.record(trx, actor, {
          action: 'saved_view.delete',
          resourceType: RESOURCE,
          resourceId: id,
          details,
        });
        return null;
      });
    },
  };
}

function limitReached(): Refusal {
  return refuse('SAVED_VIEW_LIMIT', `A user can save at most ${MAX_VIEWS} views: delete one first.`);
}

function nameTaken(): Refusal {
  return refuse('SAVED_VIEW_EXISTS', 'You already have a view of this screen with this name.');
}
