// The names of payer and payee in a page of history, for users. Replies to API keys have ids only.
import type { Actor } from '../../audit/log.ts';
import { isStaff } from '../../auth/caller.ts';
import { createPartyViews, type NameDependencies } from '../../parties/names.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import { ownAccountOf } from './access.ts';
import type { HiddenTransaction } from './pep-masking.ts';
import type { HistoryPage, TransactionRecord } from './record.ts';

export interface HistoryNameDependencies extends NameDependencies {
  pep: Pick<PepGuard, 'isPep'>;
}

export function createHistoryNames(dependencies: HistoryNameDependencies) {
  const partyView = createPartyViews(dependencies);

  /** Owners of an account see the ids of their counterparties, but not the names of politically exposed persons. */
  async function nameOf({ caller }: Actor, id: string | null): Promise<string | null> {
    if (id === null) return null;
    const own = ownAccountOf(caller);
    if (own !== null && own !== id && (await dependencies.pep.isPep(id))) return null;
    return (await partyView(id, null, isStaff(caller))).name;
  }

  /** After masking: a record has the ids of the parties that the caller may see. */
  return async function withNames<Item extends TransactionRecord | HiddenTransaction, Page extends HistoryPage<Item>>(
    actor: Actor,
    page: Page,
  ): Promise<Page> {
    if (actor.caller.kind !== 'user') return page;
    const ids = new Set(page.transactions.flatMap((item) => ('type' in item ? [item.payer_id, item.payee_id] : [])));
    const names = new Map(await Promise.all([...ids].map(async (id) => [id, await nameOf(actor, id)] as const)));
    const named = (item: Item): Item =>
      'type' in item
        ? { ...item, payer_name: names.get(item.payer_id) ?? null, payee_name: names.get(item.payee_id) ?? null }
        : item;
    return { ...page, transactions: page.transactions.map(named) };
  };
}
