// The owners of open items: a user takes items to work on them, or releases them.
import { sql } from 'kysely';
import type { Actor } from '../../../audit/log.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { createMatches, MatchDependencies } from './matches.ts';
import type { ItemIds } from './store.ts';

interface OwnerDependencies extends MatchDependencies {
  matches: Pick<ReturnType<typeof createMatches>, 'openItems'>;
}

export function createOwners({ database, audit, clock, listNewItems, matches }: OwnerDependencies) {
  async function change(actor: Actor, request: ItemIds, ownerId: string | null): Promise<number | Refusal> {
    if (request.bankIds.length + request.bookIds.length === 0) {
      return refuse('INVALID_REQUEST', 'Send at least one item.');
    }
    await listNewItems();
    return database.transact(async (trx) => {
      const items = await matches.openItems(trx, request);
      if (items instanceof Refusal) return items;
      const since = ownerId === null ? null : new Date(clock.now());
      const changed = await setOwner(trx, request, ownerId, since);
      if (changed.length === 0) return 0;
      const action = ownerId === null ? 'reconciliation.release' : 'reconciliation.assign';
      const [only, ...others] = changed;
      const resource = only !== undefined && others.length === 0 ? { resourceId: only } : {};
      await audit.record(trx, actor, {
        action,
        resourceType: 'reconciliation_item',
        ...resource,
        details: { items: changed },
      });
      return changed.length;
    });
  }

  return {
    /** Also takes items over from another user. Returns how many items had another owner or none. */
    assign: (actor: Actor, request: ItemIds) => change(actor, request, String(actor.caller.id)),
    /** Anyone who may match can release items of others: an absent colleague must not block them. */
    release: (actor: Actor, request: ItemIds) => change(actor, request, null),
  };
}

/** The ids of the items whose owner changed. An owner keeps the time at which an item was taken first. */
async function setOwner(
  trx: DatabaseTransaction,
  { bankIds, bookIds }: ItemIds,
  ownerId: string | null,
  since: Date | null,
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`update reconciliation_items set owner_id = ${ownerId}, owned_since = ${since}
    where ((side = 'bank' and item_id = any(${[...bankIds]})) or (side = 'books' and item_id = any(${[...bookIds]})))
      and owner_id is distinct from ${ownerId} returning item_id as id`.execute(trx);
  return rows.map(({ id }) => id).sort();
}
