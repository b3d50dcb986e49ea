// The suspense account: lists its open items, and resolves each once, as a debt of a partner or as a refund.
import type { Actor } from '../../../audit/log.ts';
import type { Page } from '../../../http/paging.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import type { SuspenseContext } from './context.ts';
import { createResolutions } from './resolution.ts';
import { openItemSums, openItems, type SuspenseItem } from './store.ts';

export type { SuspenseContext } from './context.ts';
export { IS_ITEM, openItemSums, openItemsSql, RESOLVING_TYPES } from './store.ts';

export interface SuspenseQuery extends Page {
  subscriber_id?: string;
  reference?: string;
  older_than_days?: string;
}

export interface ListedSuspense {
  /** The instant of the ages. */
  at: number;
  items: SuspenseItem[];
  total: number;
  totalAmount: number;
  /** Null with a filter. */
  hidden: number | null;
}

export type Suspense = ReturnType<typeof createSuspense>;

export function createSuspense(context: SuspenseContext) {
  const { database, pep, clock } = context;
  return {
    operations: createResolutions(context),

    async list(actor: Actor, query: SuspenseQuery): Promise<ListedSuspense | Refusal> {
      const { subscriber_id: subscriberId, reference, older_than_days: days } = query;
      const refusal = await pep.refusalOf(actor, subscriberId ?? null, 'payment');
      if (refusal) return refusal;
      const at = clock.now();
      // An item of exactly n days is n days old.
      const before = days === undefined ? undefined : new Date(at - Number(days) * DAY_MS + 1);
      const except = (await pep.hasAccess(actor.caller)) ? [] : await pep.all();
      const found = await openItems(database.queries, { subscriberId, reference, before, except }, query);
      const isFiltered = [subscriberId, reference, before].some((each) => each !== undefined);
      // With a subscriber filter, PEP access was checked above.
      const others = subscriberId === undefined ? found.items.map(({ subscriber_id }) => subscriber_id) : [];
      // Audits that they were shown: without access there are none in the list.
      await pep.hidden(actor, others);
      // With a filter, a hidden item that is counted would confirm a guess.
      if (isFiltered) return { ...found, at, hidden: null };
      if (except.length === 0) return { ...found, at, hidden: 0 };
      const { count, amount } = await openItemSums(database.queries, { among: except });
      return { ...found, at, total: found.total + count, totalAmount: found.totalAmount + amount, hidden: count };
    },
  };
}
